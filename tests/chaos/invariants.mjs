/** The promises that chaos is to break, judged by what was seen. Pure. */

/** @import { InvariantName, Question, SeenState } from './chaos-types' */
/** @import { Written } from './written.mjs' */

/** @type {readonly InvariantName[]} */
export const INVARIANTS = [
  'report equals the undisturbed run',
  'no finished model call repeated',
  'repeated calls within what was in flight',
  'every effect exactly once',
  'no task stuck',
  'nothing that was saved is lost',
];

/**
 * @typedef {object} TaskOutput
 * @property {string} name
 * @property {readonly string[]} files in its folder at the end
 * @property {ReadonlySet<string>} everSeen files that were in its folder at some time
 * @property {Written} disturbed
 * @property {Written | null} undisturbed null when there is nothing to compare with, the task being stuck
 *
 * @typedef {object} Account
 * @property {readonly TaskOutput[]} tasks
 * @property {readonly Question[]} questions
 * @property {ReadonlyMap<string, number>} savedAt
 * @property {number} allowedRepeats
 * @property {{ tasks: number, endpoints: number }} most
 * @property {SeenState | null} last
 * @property {readonly string[]} stuck
 */

/** @param {Account} account @returns {{ invariant: InvariantName, how: string }[]} */
export function judge(account) {
  return [
    ...of('no task stuck', account.stuck),
    ...of('report equals the undisturbed run', account.tasks.flatMap(differences)),
    ...of('no finished model call repeated', finishedRepeated(account)),
    ...of('repeated calls within what was in flight', tooManyRepeats(account)),
    ...of('every effect exactly once', account.stuck.length > 0 ? [] : account.tasks.flatMap(wrongEffects)),
    ...of('nothing that was saved is lost', losses(account)),
  ];
}

/** @param {InvariantName} invariant @param {readonly string[]} hows */
function of(invariant, hows) {
  return hows.map((how) => ({ invariant, how }));
}

/** @param {TaskOutput} task @returns {string[]} */
function differences({ name, files, disturbed, undisturbed }) {
  if (!undisturbed) return [];
  const wrong = [];
  if (disturbed.report !== undisturbed.report)
    wrong.push(`${name}: the report differs: ${firstDifference(disturbed.report, undisturbed.report)}`);
  for (const file of files)
    if (disturbed.table[file] !== undisturbed.table[file])
      wrong.push(
        `${name}: the table says of ${file}: ${disturbed.table[file]}; undisturbed: ${undisturbed.table[file]}`,
      );
  for (const file of Object.keys(disturbed.table))
    if (!(file in undisturbed.table)) wrong.push(`${name}: the table has ${file}: ${disturbed.table[file]}`);
  for (const [path, text] of Object.entries(undisturbed.results))
    if (disturbed.results[path] !== text) wrong.push(`${name}: the result ${path} differs`);
  return wrong;
}

/** @param {string} a @param {string} b */
function firstDifference(a, b) {
  const [left, right] = [a.split('\n'), b.split('\n')];
  const at = left.findIndex((line, index) => line !== right[index]);
  return `line ${at + 1} is "${left[at] ?? ''}" and not "${right[at] ?? ''}"`;
}

/** How often each question was asked whole: what the server itself spoiled was never finished. @param {readonly Question[]} questions */
function timesAsked(questions) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const { digest, isSpoiled } of questions) if (!isSpoiled) times.set(digest, (times.get(digest) ?? 0) + 1);
  return times;
}

/** @param {readonly Question[]} questions */
export function repeatedCalls(questions) {
  return [...timesAsked(questions).values()].reduce((sum, times) => sum + times - 1, 0);
}

/** @param {Account} account @returns {string[]} */
function finishedRepeated({ questions, savedAt }) {
  return questions.flatMap(({ digest, task }, index) => {
    const at = savedAt.get(digest);
    return at !== undefined && index >= at
      ? [`${task}: question ${digest} was asked again as number ${index}, its answer was seen saved at ${at}`]
      : [];
  });
}

/** @param {Account} account @returns {string[]} */
function tooManyRepeats({ questions, allowedRepeats }) {
  const repeated = repeatedCalls(questions);
  return repeated > allowedRepeats
    ? [`${repeated} calls were repeated, ${allowedRepeats} may have been in flight`]
    : [];
}

/** @param {TaskOutput} task @returns {string[]} */
function wrongEffects({ name, files, everSeen, disturbed }) {
  const { folders, results, rows, table } = disturbed;
  const wrong = [];
  if (folders !== 1) wrong.push(`${name}: ${folders} folders of output`);
  if (rows !== Object.keys(table).length) wrong.push(`${name}: ${rows} rows about ${Object.keys(table).length} files`);
  const expected = new Set([...everSeen].map((file) => `${file}.md`));
  for (const path of Object.keys(results)) if (!expected.has(path)) wrong.push(`${name}: ${path} is nobody's result`);
  for (const file of files) if (!(`${file}.md` in results)) wrong.push(`${name}: ${file} has no result`);
  return wrong;
}

/** @param {Account} account @returns {string[]} */
function losses({ last, most, savedAt }) {
  if (!last) return ['the database was never read'];
  const saved = new Set(last.saved);
  const lost = [...savedAt.keys()].filter((digest) => !saved.has(digest));
  return [
    ...(last.tasks.length < most.tasks ? [`${most.tasks - last.tasks.length} tasks are gone`] : []),
    ...(last.endpoints < most.endpoints ? [`${most.endpoints - last.endpoints} endpoints are gone`] : []),
    ...(lost.length > 0 ? [`${lost.length} saved answers are gone, the first of them to ${lost[0]}`] : []),
  ];
}
