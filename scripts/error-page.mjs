/**
 * The frame of a page in docs/errors: what the table of codes and the translations say. What stands below the heading
 * "Why it happens" is written by hand and never touched.
 */

/**
 * @typedef {object} PageText
 * @property {string} what
 * @property {string} safe
 * @property {string} next
 * @property {string | null} command
 */

/** What the engine does, by verdict. */
const DOES = {
  retry: 'Tries again with growing pauses. When the tries are used up, the file is listed as failed.',
  wait: 'Waits without using up a try, and goes on by itself when the cause is gone.',
  adapt: 'Changes the request so that it fits, and asks again.',
  skip: 'Leaves the file out, with the reason in the list and the report. It is looked at again when it changes.',
  ask: 'Pauses the task until you decide.',
  fail: 'Lists it as failed, and goes on with the rest. "Retry" runs it again.',
};

export const BY_HAND = '## Why it happens';

/**
 * @param {string} code
 * @param {{ kind: string, verdict: keyof typeof DOES, park?: string }} definition
 * @param {{ en: PageText, zh: PageText }} texts
 * @returns {string} the page down to the part written by hand
 */
export function pageFrame(code, { kind, verdict, park }, { en, zh }) {
  const command = en.command === null ? '' : `\n\`\`\`sh\n${en.command}\n\`\`\`\n`;
  const pause = park === undefined ? '' : ` The task is paused meanwhile (reason: ${park}).`;
  return `# ${en.what}

\`${code}\` · ${kind} · ${verdict}

**What Talaria does.** ${DOES[verdict]}${pause}

**What is safe.** ${en.safe}

**What to do.** ${en.next}
${command}
> ${zh.what} ${zh.safe} ${zh.next}

${BY_HAND}
`;
}

/** @param {readonly { code: string, kind: string, verdict: string, what: string }[]} rows @returns {string} */
export function indexPage(rows) {
  const lines = rows.map(
    ({ code, kind, verdict, what }) => `| [${code}](${code}.md) | ${kind} | ${verdict} | ${what} |`,
  );
  return `# Failures

Every expected failure has a stable code. The code is stored with the step, shown in small print under the sentence, and
never changes its meaning. Verdicts: **retry** with pauses · **wait** without using up a try · **adapt** the request ·
**skip** the file · **ask** the person · **fail** this step only.

| code | kind | verdict | sentence |
| --- | --- | --- | --- |
${lines.join('\n')}
`;
}
