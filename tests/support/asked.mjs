/** Which files a scripted model server was asked about. Works for files made by `distinctFiles`, whose text names them. */

/** @import { ModelServer, ServedRequest } from './model-server-types' */

const MARK = /File <([^<>\n]+)>/;

/** @param {string} content @returns {string | null} the file that a question is about; null for merging and reporting */
export function fileAsked(content) {
  return MARK.exec(content)?.[1] ?? null;
}

/** An answer that names its file in another way than the question, so that merging is never taken for a file. @param {string} content */
export function answerNamingFile(content) {
  const path = fileAsked(content);
  const numbers = content.match(/value of sample \d+ is (\d+)/)?.[1];
  if (path === null) return 'The notes agree with each other. 各文件内容一致。';
  return `About «${path}»: one sample is described${numbers ? `, measured ${numbers}` : ''}.`;
}

/** @param {ModelServer} server @param {(request: ServedRequest) => boolean} [which] @returns {Map<string, number>} */
export function askedByFile(server, which = () => true) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const request of server.requests) {
    const path = fileAsked(request.content);
    if (path !== null && which(request)) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}

/** Files whose answer went out whole, with how often. @param {ModelServer} server */
export function answeredByFile(server) {
  return askedByFile(server, (request) => request.finished);
}

/** @param {ModelServer} server @returns {string[]} files answered in full more than once */
export function repeatedFiles(server) {
  return [...answeredByFile(server)].filter(([, times]) => times > 1).map(([path]) => path);
}
