import { describe, expect, it } from 'vitest';
import { taskId } from '../../core/ids';
import { taskAddress, taskPlace, type TaskPlace } from './task-place';

const ID = taskId('t-1');

describe('taskPlace', () => {
  it.each<TaskPlace>([
    { tab: 'files', file: null },
    { tab: 'files', file: '2026/访谈 & #1.txt' },
    { tab: 'report', file: null },
    { tab: 'activity', file: null },
    { tab: 'checkpoints', file: null },
  ])('finds the place that an address was made for: %j', (place) => {
    const query = new URLSearchParams(taskAddress(ID, place));
    expect(query.get('id')).toBe(ID);
    expect(taskPlace(query)).toEqual(place);
  });

  it('shows the files for a tab that is not there', () => {
    expect(taskPlace(new URLSearchParams('id=t&tab=nothing'))).toEqual({ tab: 'files', file: null });
  });
});
