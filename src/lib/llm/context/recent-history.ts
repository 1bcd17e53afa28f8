/** What of a message decides where a history may be cut. */
export interface HistoryMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly tool_calls?: readonly { readonly id: string }[] | null;
  readonly tool_call_id?: string | null;
}

/**
 * The system messages that a history begins with, once, and its last messages, at least `keepRecent` of them while there
 * are so many. Calls and their results stay together, since servers refuse one without the other for ever after: a group
 * is kept whole or not at all, and one that is not whole (a result nobody asked for, a call without its result) is left
 * out. Order is kept, nothing is doubled, and a history that is short and whole comes back as it is.
 */
export function recentHistory<T extends HistoryMessage>(messages: readonly T[], keepRecent: number): readonly T[] {
  const firstOther = messages.findIndex(({ role }) => role !== 'system');
  const systemCount = firstOther === -1 ? messages.length : firstOther;
  const groups = wholeGroups(messages.slice(systemCount));
  let kept = 0;
  let from = groups.length;
  while (from > 0 && kept < keepRecent) {
    from -= 1;
    kept += groups[from]?.length ?? 0;
  }
  return [...messages.slice(0, systemCount), ...groups.slice(from).flat()];
}

/** Single messages, and calls with all their results. */
function wholeGroups<T extends HistoryMessage>(messages: readonly T[]): readonly (readonly T[])[] {
  const groups: T[][] = [];
  for (let index = 0; index < messages.length;) {
    const message = messages[index];
    if (!message) break;
    index += 1;
    if (message.role === 'tool') continue;
    const open = new Set((message.tool_calls ?? []).map(({ id }) => id));
    const group = [message];
    for (let next = messages[index]; next?.role === 'tool'; next = messages[index]) {
      index += 1;
      if (next.tool_call_id != null && open.delete(next.tool_call_id)) group.push(next);
    }
    if (open.size === 0) groups.push(group);
  }
  return groups;
}
