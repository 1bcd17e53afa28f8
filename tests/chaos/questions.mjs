/** Files whose questions can be told apart, and answers that can be told to their questions, whatever they are about. */
import { digestOf } from '../support/model-answers.mjs';

const OF_TASK = /of task ([\w-]+)/;
const ANSWER = /^(?:Answer|Summary of the summaries) ([0-9a-f]{12})\b/;

/**
 * A file's text: no two versions of any file, in any task, are the same.
 * @param {string} task @param {string} path @param {number} version
 */
export function fileText(task, path, version) {
  return `File <${path}> of task ${task}, version ${version}\nThe measured value is ${version * 37 + path.length}. 第 ${version} 版。\n`;
}

/** The same for the same question, and another for any other: a report is the sum of all that went into it. @param {string} content */
export function answerTo(content) {
  const digest = digestOf(content);
  const task = taskOf(content) ?? 'unknown';
  const path = /File <([^<>\n]+)>/.exec(content)?.[1];
  if (path === undefined) return `Summary of the summaries ${digest}, of task ${task}. 各文件内容一致。`;
  return `Answer ${digest} about «${path}» of task ${task}: one value was measured.`;
}

/** @param {string} content @returns {string | null} the task that it is about */
export function taskOf(content) {
  return OF_TASK.exec(content)?.[1] ?? null;
}

/** @param {string} content */
export function isAboutFile(content) {
  return content.includes('File <');
}

/** @param {string} answer its beginning is enough @returns {string | null} digest of the question that it answers */
export function questionAnswered(answer) {
  return ANSWER.exec(answer)?.[1] ?? null;
}
