import type { FailureCode } from '../../../core/failure-codes';
import { bytesDetail, detail, type FailureText } from '../../failure-text';
import { spaced } from '../spaced';

const OTHERS = '其他文件照常进行，这个文件会连同原因一起列出。';
const NOT_SENT = `${OTHERS}它的内容没有发给模型。`;
/** A finished task has the one button, any other the other. */
const LOOK = '按“查看有无改动”（或“继续”）';
const PAUSED = '已完成的内容都已保存。任务在等待，不会因此有文件失败。';

/** Files, and the folder they are in. */
export const folderFailures = {
  file_empty: {
    what: () => '文件是空的，或只有空白。',
    safe: () => NOT_SENT,
    next: () => `无需操作。如果写入了内容，${LOOK}，它会被读取。`,
  },
  file_binary: {
    what: () => '文件名像文本，内容却不是文本。',
    safe: () => NOT_SENT,
    next: () => `无需操作。如果换成了文本版本，${LOOK}，它会被读取。`,
  },
  file_kind_unsupported: {
    what: (d) => `还不能读取这种文件${kind(detail(d, 'kind'))}。`,
    safe: () => NOT_SENT,
    next: () => `请在同一文件夹中另存为文本、Markdown、HTML 或 CSV，然后${LOOK}。`,
  },
  file_too_large: {
    what: (d) => {
      const size = bytesDetail(d, 'sizeBytes');
      const limit = bytesDetail(d, 'limitBytes');
      return `文件太大，无法读取${size === null ? '' : `：${size}`}${limit === null ? '' : `（上限为 ${limit}）`}。`;
    },
    safe: () => NOT_SENT,
    next: () => `请把它拆成较小的文件，然后${LOOK}。`,
  },
  file_gone: {
    what: () => '文件已不在文件夹中。',
    safe: () => '其他文件照常进行，这个文件会列为“已消失”。',
    next: () => `无需操作。如果把它放了回来，${LOOK}，它会被读取。`,
  },
  file_encoding_unknown: {
    what: () => '无法判断文本使用的编码。',
    safe: () => `${NOT_SENT}猜错编码会凭空造出文字。`,
    next: () => `请把文件存为 UTF-8，然后${LOOK}。`,
  },
  file_unreadable: {
    what: () => '无法从磁盘读取文件。',
    safe: () => OTHERS,
    next: () => '请关闭占用它的程序，确认你有读取权限，然后重试失败的文件。',
  },
  file_changing: {
    what: () => '读取时文件发生了变化。',
    safe: () => `${OTHERS}没有用读到一半的内容生成结果。`,
    next: () => '稍后会重新读取。如果有程序一直在写它，请等写完后重试失败的文件。',
  },
  folder_permission: {
    what: (d) => `浏览器需要你再次允许读取${folder(detail(d, 'folder'))}。`,
    safe: () => PAUSED,
    next: () => '请按“继续”并允许。选择“每次访问时都允许”，以后就不会再问。',
  },
  folder_missing: {
    what: (d) => `找不到${folder(detail(d, 'folder'))}：它被移动、改名或删除了。`,
    safe: () => `${PAUSED}结果与文件夹的位置无关。`,
    next: () => '请选择它的新位置。文件按内容识别，已完成的不会再次请求。',
  },
  folder_not_given: {
    what: (d) => `在此浏览器中，你还没有把${folder(detail(d, 'folder'))}交给 Talaria。`,
    safe: () => '已完成的内容都在这里，不会丢失。任务在等待，期间不会发送任何内容。',
    next: () => '请选择它在本机上的位置。文件按内容识别，已完成的不会再次请求。',
  },
  file_timeout: {
    what: () => '文件没有在规定时间内读出：磁盘或网络驱动器没有给出内容。',
    safe: () => OTHERS,
    next: () => '会再试。如果一直如此，请把文件复制到本机，再重试失败的文件。',
  },
  folder_timeout: {
    what: (d) => `${folder(detail(d, 'folder'))}没有应答：它所在的驱动器或网络可能已断开。`,
    safe: () => PAUSED,
    next: () => '请重新连接驱动器或网络。文件夹恢复应答后，任务会自动继续。',
  },
  folder_empty: {
    what: () => '文件夹里没有本任务要读取的文件。',
    safe: () => '没有发送任何内容，也没有作任何改动。任务已暂停。',
    next: () => '请检查文件夹以及包含和排除的模式，然后按“继续”。',
  },
  folder_write_failed: {
    what: () => '报告无法写入文件夹。',
    safe: () => '报告和所有结果都保存在浏览器中，可以在这里阅读和下载。',
    next: () => '请检查文件夹的剩余空间和写入权限，以及其中没有别的东西叫 talaria 或 report.md，然后按“重新写入”。',
  },
  path_refused: {
    what: (d) => `${spaced(detail(d, 'path')) ?? '这个路径'}超出了 Talaria 可以写入的文件夹。`,
    safe: () => '那里没有写入任何内容。Talaria 只写入你所选文件夹中的 talaria/ 之下。',
    next: () => '请给文件改名，使路径中没有“..”、盘符或控制字符。',
  },
} satisfies Partial<Record<FailureCode, FailureText>>;

function kind(extension: string | null): string {
  return extension === null ? '' : `（.${extension}）`;
}

function folder(name: string | null): string {
  return name === null ? '这个文件夹' : `文件夹“${name}”`;
}
