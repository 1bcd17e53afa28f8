/** Refuses comments that silence a check or put work off: a finding is mended, and open work belongs in the tracker. */

const SILENCES =
  /eslint-disable|@ts-ignore|@ts-expect-error|@ts-nocheck|prettier-ignore|svelte-ignore|v8 ignore|istanbul ignore/;
const PUT_OFF = /\b(TODO|FIXME|XXX|HACK)\b/;

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'no comment silences a check or puts work off' },
    schema: [],
    messages: {
      silences: '"{{found}}" silences a check. Mend what it found instead.',
      putOff: '"{{found}}" puts work off. Do it, or write it into the tracker.',
    },
  },
  create(context) {
    /** @param {string} text @param {import('eslint').AST.SourceLocation | null | undefined} loc */
    function check(text, loc) {
      const silences = SILENCES.exec(text);
      const putOff = PUT_OFF.exec(text);
      const place = { loc: loc ?? { line: 1, column: 0 } };
      if (silences) context.report({ ...place, messageId: 'silences', data: { found: silences[0] } });
      if (putOff) context.report({ ...place, messageId: 'putOff', data: { found: putOff[0] } });
    }
    return /** @type {import('eslint').Rule.RuleListener} */ ({
      Program() {
        for (const comment of context.sourceCode.getAllComments()) check(comment.value, comment.loc);
      },
      /** @param {import('eslint').Rule.Node & { value: string }} node a comment in Svelte markup, which ESTree has no name for */
      SvelteHTMLComment(node) {
        check(node.value, node.loc);
      },
    });
  },
};
