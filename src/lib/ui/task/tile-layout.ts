export interface TileLayout {
  readonly columns: number;
  readonly rows: number;
  /** Side of a tile and the space after it, in CSS pixels. */
  readonly side: number;
  readonly gap: number;
  readonly height: number;
}

const LARGEST_SIDE = 14;
const SMALLEST_PITCH = 4;

/** The largest square tiles by which `count` of them fit the width and, while they can be seen at all, the height. */
export function layTiles(count: number, width: number, maxHeight: number): TileLayout {
  let columns = Math.max(1, Math.floor(width / pitchOf(LARGEST_SIDE)));
  const most = Math.max(columns, Math.floor(width / SMALLEST_PITCH));
  while (columns < most && Math.ceil(count / columns) * (width / columns) > maxHeight) columns += 1;
  const pitch = width / columns;
  const gap = pitch > 7 ? 2 : 1;
  const rows = Math.ceil(count / columns);
  return { columns, rows, side: pitch - gap, gap, height: Math.ceil(rows * pitch) };
}

/** The tile under a point of the map, or null between the last tile and the end. */
export function tileAt(layout: TileLayout, count: number, x: number, y: number): number | null {
  const pitch = layout.side + layout.gap;
  const column = Math.floor(x / pitch);
  const row = Math.floor(y / pitch);
  if (column < 0 || column >= layout.columns || row < 0) return null;
  const tile = row * layout.columns + column;
  return tile < count ? tile : null;
}

/** Left upper corner of a tile. */
export function tileCorner(layout: TileLayout, tile: number): { readonly x: number; readonly y: number } {
  const pitch = layout.side + layout.gap;
  return { x: (tile % layout.columns) * pitch, y: Math.floor(tile / layout.columns) * pitch };
}

function pitchOf(side: number): number {
  return side + 2;
}
