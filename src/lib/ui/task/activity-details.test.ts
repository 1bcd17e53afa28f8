import { describe, expect, it } from 'vitest';
import { formatsFor } from '../../i18n/format';
import { messagesFor } from '../../i18n/messages';
import { activityDetails } from './activity-details';

const show = (details: Record<string, string | number>, language: 'en' | 'zh-CN' = 'en') =>
  activityDetails({ details }, messagesFor(language).task.activity.details, formatsFor(language));

describe('activityDetails', () => {
  it('counts what has a word and leaves zeros and unknown names out', () => {
    expect(show({ added: 1_200, changed: 0, removed: 3, secret: 9 })).toEqual({
      path: null,
      numbers: '1,200 added · 3 removed',
    });
    expect(show({ added: 1_200 }, 'zh-CN').numbers).toBe('新增 1,200 个');
    expect(show({ files: 1, steps: 1, results: 2 }).numbers).toBe('1 file · 1 step · 2 answers');
  });

  it('says also that nothing was lost', () => {
    expect(show({ inFlight: 0, lost: 0 }).numbers).toBe('nothing lost');
    expect(show({ inFlight: 2, lost: 40 }).numbers).toBe('2 in flight · all but about 40 tokens kept to read');
  });

  it('names the file it is about', () => {
    expect(show({ path: 'talaria/notes/report.md' })).toEqual({ path: 'talaria/notes/report.md', numbers: '' });
  });
});
