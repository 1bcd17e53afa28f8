/** Something that can be merged: its name in the tree and its length. */
export interface Leaf {
  /** What decides where groups end: a path, for a merge the path it ends with. Never a position or content. */
  readonly name: string;
  readonly tokens: number;
  /** What stands around its text in a request: its name, its fence. */
  readonly frameTokens: number;
}

/** What one request of the tree holds. */
interface Room {
  readonly matterTokens: number;
  readonly framedTokens: number;
}

/** Groups longer than this would be asked of any model in vain. */
const MAX_GROUP = 64;
const MIN_GROUP = 2;
/** What one set of notes is assumed to be long; only the mean size of groups depends on it. */
const USUAL_NOTE_TOKENS = 320;

/**
 * Splits leaves, in order, into groups that fit a request. A group ends after a leaf whose name hashes to an end, so
 * adding, removing or changing one leaf moves only the group around it; a group that is full ends earlier. Every group
 * has at least two leaves but the last, which may be a lone one: it goes up a level as it is. Two that do not fit
 * together are a group all the same: what is too long of it has to be condensed.
 */
export function groupLeaves<L extends Leaf>(
  leaves: readonly L[],
  room: Room,
  level: number,
): readonly (readonly L[])[] {
  const mean = Math.max(MIN_GROUP, Math.min(MAX_GROUP, Math.floor(room.matterTokens / USUAL_NOTE_TOKENS / 2)));
  const groups: L[][] = [];
  let group: L[] = [];
  for (const leaf of leaves) {
    if (group.length >= MIN_GROUP && !fitsOneRequest([...group, leaf], room)) {
      groups.push(group);
      group = [];
    }
    group.push(leaf);
    if (group.length >= MIN_GROUP && endsGroup(leaf.name, level, mean)) {
      groups.push(group);
      group = [];
    }
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

/** Whether everything fits into one request, so that no further level is needed. */
export function fitsOneRequest(leaves: readonly Leaf[], room: Room): boolean {
  const tokens = leaves.reduce((sum, leaf) => sum + leaf.tokens, 0);
  const framed = leaves.reduce((sum, leaf) => sum + leaf.frameTokens, tokens);
  return leaves.length <= MAX_GROUP && tokens <= room.matterTokens && framed <= room.framedTokens;
}

/** Salted by level: names that end a group on one level would otherwise end one on every level. */
function endsGroup(name: string, level: number, mean: number): boolean {
  return hash(`${String(level)} ${name}`) % mean === 0;
}

/** FNV-1a: spreads names evenly, the same everywhere. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value >>> 0;
}
