import type { FailureCode } from '../../../core/failure-codes';
import { detail, type FailureText } from '../../failure-text';
import { answerFailures } from './answers';
import { endpointFailures } from './endpoint';
import { folderFailures } from './folder';
import { storageFailures } from './storage';

const ASIDE = '已完成的内容都已保存，其他文件会照常继续。';

/** What is wrong with one file's work, or with too many. */
export const taskFailures = {
  crashes_app: {
    what: (d) => `处理这个文件时，应用连续 ${detail(d, 'times') ?? '3'} 次中断，因此已将该文件搁置。`,
    safe: () => ASIDE,
    next: () =>
      '请看看该文件是否损坏或很特殊，拆分后再试也许有用。重试失败的文件会再试一次；文件有改动时也会自动再试。',
  },
  crashes_server: {
    what: (d) => `处理这个文件时，模型服务器连续 ${detail(d, 'times') ?? '3'} 次停止应答，因此已将该文件搁置。`,
    safe: () => ASIDE,
    next: () => '服务器自己的日志会说明停止的原因，常见的是内存不足。请在服务器上修好，或拆分文件，再重试失败的文件。',
  },
  deadline_reached: {
    what: (d) => {
      const hours = detail(d, 'hours');
      return hours === null ? '任务已工作到设定的时限。' : `任务已工作 ${hours} 小时，达到设定的时限。`;
    },
    safe: () => '已完成的内容都已保存，不会因此有文件失败。',
    next: () => '按“继续”即可再工作同样长的时间。',
  },
  too_many_failures: {
    what: (d) => {
      const why = causeOf(detail(d, 'cause'));
      const [failed, tried] = [detail(d, 'failed'), detail(d, 'tried')];
      if (failed === null || tried === null) return `失败的文件太多，因此没有再处理其余文件。${why}`;
      return `到目前为止试过的 ${tried} 个文件中有 ${failed} 个失败，因此没有再处理其余文件。${why}`;
    },
    safe: () => '已完成的内容都已保存，没有文件丢失：失败的文件可以再试。',
    next: () => '请打开一个失败的文件查看原因。修好后重试失败的文件；要照样继续，请按“继续”。',
  },
} satisfies Partial<Record<FailureCode, FailureText>>;

const CAUSES: Readonly<Record<string, FailureText>> = {
  ...endpointFailures,
  ...answerFailures,
  ...folderFailures,
  ...storageFailures,
};

function causeOf(code: string | null): string {
  const cause = code !== null && Object.hasOwn(CAUSES, code) ? CAUSES[code] : undefined;
  return cause ? `最常见的原因：${cause.what({})}` : '';
}
