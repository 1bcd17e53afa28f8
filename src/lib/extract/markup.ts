import { Parser, type Handler } from 'htmlparser2';

type Handlers = Partial<Pick<Handler, 'onopentag' | 'ontext' | 'onclosetag'>>;

/** Deeper than any page is; the parser's time grows with the square of the depth. */
const MAX_DEPTH = 5_000;
/** Deeper levels stand where this one does: the room they would take grows with the square of the depth. */
const MAX_INDENT = 24;

class TooDeep extends Error {
  override readonly name = 'TooDeep';
}

/** Walks through markup. False when it is nested deeper than anything meant to be read. */
export function walkMarkup(markup: string, handlers: Handlers, options: { xmlMode: boolean }): boolean {
  let depth = 0;
  const parser = new Parser(
    {
      ...handlers,
      onopentag(name, attributes, isImplied) {
        depth += 1;
        if (depth > MAX_DEPTH) throw new TooDeep();
        handlers.onopentag?.(name, attributes, isImplied);
      },
      onclosetag(name, isImplied) {
        depth -= 1;
        handlers.onclosetag?.(name, isImplied);
      },
    },
    options,
  );
  try {
    parser.write(markup);
    parser.end();
    return true;
  } catch (error) {
    if (error instanceof TooDeep) return false;
    throw error;
  }
}

export function indentTo(depth: number, unit: string): string {
  return unit.repeat(Math.max(0, Math.min(depth, MAX_INDENT)));
}
