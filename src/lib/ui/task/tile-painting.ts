import type { FileView } from '../../state/task-files';
import { tileCorner, type TileLayout } from './tile-layout';

type Colour = 'pending' | 'running' | 'done' | 'reused' | 'failed' | 'skipped' | 'chosen';
export type Palette = ReadonlyMap<string, string>;

/** The colours of the theme as they are computed: a canvas does not understand tokens. */
export function readPalette(swatches: HTMLElement): Palette {
  const elements = [...swatches.querySelectorAll<HTMLElement>('[data-of]')];
  return new Map(elements.map((element) => [element.dataset['of'] ?? '', getComputedStyle(element).backgroundColor]));
}

export function paintTiles(
  canvas: HTMLCanvasElement,
  files: readonly FileView[],
  layout: TileLayout,
  width: number,
  palette: Palette,
  chosen: FileView | null,
): void {
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(layout.height * scale);
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.scale(scale, scale);
  const radius = layout.side > 5 ? 2 : 0;
  for (const [colour, tiles] of byColour(files)) {
    context.fillStyle = palette.get(colour) ?? '';
    context.beginPath();
    for (const tile of tiles) addTile(context, layout, tile, radius);
    context.fill();
  }
  const at = chosen === null ? -1 : files.findIndex((file) => file.key === chosen.key);
  if (at < 0) return;
  const { x, y } = tileCorner(layout, at);
  context.strokeStyle = palette.get('chosen') ?? '';
  context.lineWidth = 1.5;
  context.strokeRect(x - 0.25, y - 0.25, layout.side + 0.5, layout.side + 0.5);
}

function byColour(files: readonly FileView[]): ReadonlyMap<Colour, readonly number[]> {
  const tiles = new Map<Colour, number[]>();
  files.forEach((file, tile) => {
    const colour = file.status === 'done' && file.reused ? 'reused' : file.status;
    const list = tiles.get(colour);
    if (list) list.push(tile);
    else tiles.set(colour, [tile]);
  });
  return tiles;
}

function addTile(context: CanvasRenderingContext2D, layout: TileLayout, tile: number, radius: number): void {
  const { x, y } = tileCorner(layout, tile);
  if (radius === 0) context.rect(x, y, layout.side, layout.side);
  else context.roundRect(x, y, layout.side, layout.side, radius);
}
