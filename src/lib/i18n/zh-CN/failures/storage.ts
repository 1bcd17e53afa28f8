import type { FailureCode } from '../../../core/failure-codes';
import { detail, type FailureText } from '../../failure-text';
import { spaced } from '../spaced';

const SAVED = '显示为已保存的内容都已保存。';

/** The browser's storage, and the task as a whole. */
export const storageFailures = {
  storage_full: {
    what: () => '浏览器已没有保存数据的空间。',
    safe: () => `${SAVED}任务在丢失任何内容之前就已暂停。`,
    next: () => '请腾出磁盘空间，或在“存储”页面删除已结束的任务。有空间后任务会自动继续。',
  },
  storage_closed: {
    what: () => '浏览器关闭了数据库连接，并且无法重新打开。',
    safe: () => `${SAVED}正在进行的请求会重新请求。`,
    next: () => '请刷新页面，任务会自动继续。如果数据已被清除，请重新开始任务。',
  },
  storage_unavailable: {
    what: () => '这个浏览器不允许页面保存任何数据。',
    safe: () => '没有开始任何无法保存的工作。',
    next: () => '请退出无痕窗口，或在浏览器设置中允许本网站保存数据，然后刷新。',
  },
  storage_blocked: {
    what: () => '另一个标签页中的旧版 Talaria 占用着数据库。',
    safe: () => `${SAVED}各标签页版本一致之前不会运行。`,
    next: () => '请关闭或刷新其他 Talaria 标签页，本页随后自动继续。',
  },
  row_unreadable: {
    what: () => '这个任务的存储数据已损坏，无法读取。',
    safe: () => '其他任务不受影响，你的文件和旁边的报告也不受影响。',
    next: () => '请在同一文件夹上新建任务：仍存有的应答会被复用，只有丢失的才会再次请求。',
  },
  row_from_newer_version: {
    what: (details) =>
      detail(details, 'table') === 'database'
        ? '这个浏览器里的数据由更新版本的 Talaria 保存。'
        : '这个任务由更新版本的 Talaria 保存。',
    safe: () => `${SAVED}当前版本不会改动它。`,
    next: () => '请刷新页面以获取新版本。如果你自己部署 Talaria，请升级它。',
  },
  import_unreadable: {
    what: ({ line }) =>
      line === undefined
        ? '这个文件不是从这里导出的任务，或者已经损坏。'
        : `这个文件的第 ${line} 行缺失、损坏，或不属于从这里导出的任务。`,
    safe: () => '其中的内容都没有导入。你的任务保持原样。',
    next: () => '请在任务所在之处重新导出，并完整复制该文件。',
  },
  import_from_newer_version: {
    what: () => '这个文件由更新版本的 Talaria 写出。',
    safe: () => '其中的内容都没有导入。你的任务和这个文件都保持原样。',
    next: () => '请刷新页面以获取新版本，然后再次导入。如果你自己部署 Talaria，请升级它。',
  },
  import_task_exists: {
    what: ({ task }) => `${task === undefined ? '这个任务' : `任务“${task}”`}已在此浏览器中。`,
    safe: () => '它保持原样，文件中的内容都没有导入。',
    next: () => '请继续使用已有的任务。若要改用文件中的任务，请先删除已有的。',
  },
  fenced: {
    what: () => '另一个标签页已接管这个任务。',
    safe: () => `${SAVED}任何时候只有一个标签页处理一个任务，所以不会重复做。`,
    next: () => '无需操作。本标签页会显示另一个标签页的进展。',
  },
  task_missing: {
    what: () => '这个任务已不存在：它被删除，或数据被清除了。',
    safe: () => '你文件夹中的文件和报告不受影响。',
    next: () => '请回到任务列表，或在同一文件夹上重新开始。',
  },
  checkpoint_missing: {
    what: () => '这个任务没有这一时刻的记录。',
    safe: () => '任务本身和已完成的内容没有任何变化。',
    next: () => '请从检查点列表中选择一个；列表从本浏览器开始记录检查点时算起。',
  },
  nothing_to_report: {
    what: () => '没有任何文件得出结果，因此没有可写报告的内容。',
    safe: () => '每个文件都列出了没有结果的原因。没有编造报告。',
    next: () => '请查看文件列表中的原因，解决后重试失败的文件。',
  },
  report_failed: {
    what: () => '报告的一部分没能生成。',
    safe: () => '所有文件的结果都已保存，可以下载。',
    next: () => '请重试失败项：只会重新请求报告缺少的部分。',
  },
  worker_stopped: {
    what: () => '后台线程停止了。',
    safe: () => `${SAVED}正在进行的请求会重新请求。`,
    next: () =>
      '它会自动重新启动；刚才按下的操作可能需要再按一次。如果反复停止，请刷新页面，或关闭其他占用资源的标签页。',
  },
  insecure_context: {
    what: (d) =>
      `${spaced(detail(d, 'origin')) ?? '本页面的地址'}不是安全地址，浏览器不给这样的页面使用文件夹、存储和哈希功能。`,
    safe: () => '没有开始任何工作。',
    next: () =>
      '请从 localhost 或通过 https 打开 Talaria。要使用另一台机器上的 Talaria，请按下面的命令把它的端口转到本机。',
    command: () => 'ssh -N -L 4173:localhost:4173 user@other-machine',
  },
  unexpected: {
    what: () => '发生了 Talaria 没有预料到的情况。',
    safe: () => SAVED,
    next: () => '请重试失败的文件。如果再次出现，请附上这里显示的代码和详情进行报告。',
  },
} satisfies Partial<Record<FailureCode, FailureText>>;
