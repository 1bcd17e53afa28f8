import { expect, test } from 'vitest';
import { digestOf } from '../support/model-answers.mjs';
import { answerTo, fileText, questionAnswered, taskOf } from './questions.mjs';

test('an answer tells which question it answers, in files and above them', () => {
  const file = fileText('alpha', 'note-0001.txt', 3);
  const answer = answerTo(file);
  expect(questionAnswered(answer)).toBe(digestOf(file));
  expect(taskOf(file)).toBe('alpha');
  const above = answerTo(answer);
  expect(questionAnswered(above)).toBe(digestOf(answer));
  expect(taskOf(above)).toBe('alpha');
  expect(questionAnswered('Something else')).toBeNull();
});

test('what goes into a report changes it, however far below', () => {
  const report = (version: number) => answerTo(answerTo(fileText('alpha', 'note-0001.txt', version)));
  expect(report(1)).not.toBe(report(2));
});
