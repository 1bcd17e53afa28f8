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

/**
 * What it does about codes that stand for more than one file, by code: a whole task, its output, a command, or the app.
 * @type {Readonly<Record<string, string>>}
 */
const DOES_BY_CODE = {
  folder_write_failed:
    'Ends the writing there and leaves the task finished. The report stays in the app, and "Write again" writes what is missing.',
  effect_conflict:
    'Does nothing to the target, ends the writing there, and leaves the task as it is. The report stays in the app.',
  path_refused:
    'Writes nothing there, ends the writing of the output, and leaves the task finished. The report stays in the app.',
  storage_unavailable: 'Starts nothing, and looks again every few seconds. A task that was at work waits meanwhile.',
  storage_blocked:
    'Shows and starts nothing while the other tab has the database, says so, and goes on by itself when that tab lets go.',
  row_unreadable:
    'Shows a task whose own row is damaged as damaged, and offers to save or delete what is left of it. A task that meets another damaged row pauses (reason: attention). All other tasks go on.',
  row_from_newer_version:
    'Changes nothing of what the newer version saved, and shows it as it can: a database of a newer version not at all, a task of one as damaged, and a task at work that meets such a row pauses (reason: attention).',
  import_unreadable: 'Takes nothing of the file in. All tasks stay as they are.',
  import_from_newer_version: 'Takes nothing of the file in. All tasks stay as they are.',
  import_task_exists: 'Takes nothing of the file in. All tasks stay as they are.',
  fenced: 'Stops working on the task in this tab, saves nothing more of it here, and shows what the other tab does.',
  task_missing: 'Does nothing. All other tasks stay as they are.',
  checkpoint_missing: 'Makes no fork. The task stays as it is.',
  nothing_to_report:
    'Ends the whole task as failed, with every file listed by its reason. "Retry" runs the failed files again, "Continue" looks through the folder again.',
  report_failed:
    'Ends the whole task as failed; the results of the files stay. "Continue" and "Retry" go on with the missing part alone.',
  worker_stopped: 'Starts the worker again, after growing pauses, and goes on with its tasks. It costs no file a try.',
  insecure_context: 'Says so on every page, and starts nothing.',
  unexpected:
    'Where it happened in a file, lists that file as failed and goes on with the rest; "Retry" runs it again. Where it happened to the task itself, pauses the task (reason: attention) until you press "Continue". A command that it happened to is not carried out.',
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
  const own = DOES_BY_CODE[code];
  const pause = park === undefined || own !== undefined ? '' : ` The task is paused meanwhile (reason: ${park}).`;
  return `# ${en.what}

\`${code}\` · ${kind} · ${verdict}

**What Talaria does.** ${own ?? DOES[verdict]}${pause}

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
**skip** the file · **ask** the person · **fail** at once; each page says what fails: a file, the output, a command or the
whole task.

| code | kind | verdict | sentence |
| --- | --- | --- | --- |
${lines.join('\n')}
`;
}
