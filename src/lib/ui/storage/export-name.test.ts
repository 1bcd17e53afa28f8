import { expect, it } from 'vitest';
import { exportName } from './export-name';

it.each([
  ['notes: Summarise', 'talaria-notes-summarise.jsonl'],
  ['访谈记录', 'talaria-访谈记录.jsonl'],
  ['../../etc/passwd\\con', 'talaria-etc-passwd-con.jsonl'],
  ['???', 'talaria-task.jsonl'],
])('the file of %j is called %s', (name, file) => expect(exportName(name)).toBe(file));
