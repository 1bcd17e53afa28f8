import { slug } from '../../core/output-path';

/** Of a task's file: what the task is called, in characters that every system takes. */
export function exportName(name: string): string {
  return `talaria-${slug(name, 'task')}.jsonl`;
}
