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
    expect(show({ added: 1_200 }, 'zh-CN').numbers).toBe('1,200 新增');
  });

  it('names the file it is about', () => {
    expect(show({ path: 'talaria/notes/report.md' })).toEqual({ path: 'talaria/notes/report.md', numbers: '' });
  });
});
