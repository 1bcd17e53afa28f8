import { settled } from '../../core/counts';
import { timeLeft } from '../../core/pace';
import type { TaskRow } from '../../core/task';
import type { Formats } from '../../i18n/format';
import type { FirstMessages } from '../../i18n/messages';

/** What one line says of a task, in parts that are set apart by dots; the first is the most important. */
export function taskLine(task: TaskRow, messages: FirstMessages, formats: Formats, nowMs: number): readonly string[] {
  const words = messages.home.row;
  const { counts } = task;
  const planned = formats.number(counts.planned);
  const done = words.of(formats.number(settled(counts)), counts.planned, planned);
  const failed = counts.failed > 0 ? [words.failed(formats.number(counts.failed))] : [];
  const ended = task.finishedMs === null ? [] : [formats.when(task.finishedMs, nowMs)];

  switch (task.status) {
    case 'pending':
      return [words.starting];
    case 'running': {
      if (task.plan.state === 'walking') return [words.looking(task.plan.seen, formats.number(task.plan.seen))];
      if (task.stage === 'merging') return [words.merging, ...failed];
      if (task.stage === 'reporting') return [words.reporting, ...failed];
      const left = timeLeft(task.pace, counts.planned - settled(counts), nowMs - task.updatedMs);
      return [done, ...(left ? [words.left(formats.timeLeft(left))] : []), ...failed];
    }
    case 'paused':
      return counts.planned === 0 ? failed : [done, ...failed];
    case 'completed': {
      const what =
        counts.failed > 0
          ? words.partly(formats.number(counts.failed), planned)
          : counts.skipped > 0
            ? words.of(formats.number(counts.done + counts.reused), counts.planned, planned)
            : words.allFiles(counts.planned, planned);
      const skipped = counts.skipped > 0 ? [words.skipped(formats.number(counts.skipped))] : [];
      const written = task.output === 'written' && task.outputPath ? [words.writtenTo(task.outputPath)] : [];
      const waits = task.output === 'waiting' ? [words.outputWaits] : [];
      return [what, ...skipped, ...waits, ...written, ...ended];
    }
    case 'failed':
      return [words.failedTask, ...(counts.planned > 0 ? [done] : []), ...ended];
    case 'cancelled':
      return [words.cancelled, done, ...ended];
  }
}
