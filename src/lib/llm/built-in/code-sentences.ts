import { sentencesOf } from './sentences';

const COMMENT = /^\s*(?:\/\/+|\/\*+|\*+(?!\/)|#+(?![!\w])|--|;+|"""|''')\s*(.*?)\s*(?:\*+\/|"""|''')?\s*$/;
const DECLARATION = /^\s*(?:export|public|def|class|function|func|fn|interface|type|struct|create\s+table)\b.*/i;
const MIN_SENTENCES = 3;

/** What a source says in words, its comments, and what it declares; all of its lines when that is next to nothing. */
export function codeSentences(source: string): readonly string[] {
  const lines: string[] = [];
  let comment: string[] = [];
  const endComment = () => {
    lines.push(...sentencesOf(comment.join(' ')).map((sentence) => sentence.text));
    comment = [];
  };
  for (const line of source.split('\n')) {
    const words = COMMENT.exec(line)?.[1];
    if (words !== undefined && words !== '') comment.push(words);
    else {
      endComment();
      if (DECLARATION.test(line)) lines.push(line.trim().replace(/\s*\{$/, ''));
    }
  }
  endComment();
  return lines.length >= MIN_SENTENCES ? lines : sentencesOf(source, true).map((sentence) => sentence.text.trim());
}
