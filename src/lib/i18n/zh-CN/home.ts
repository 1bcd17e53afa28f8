import type { home as shape } from '../en/home';

/** As `Intl` has it, "now" is no time at which something happened. */
const past = (told: string) => (told === '现在' ? '刚刚' : told);

export const home: typeof shape = {
  title: '任务',
  sentences: (list) => list.join(''),
  greeting: { night: '夜深了。', morning: '早上好。', afternoon: '下午好。', evening: '晚上好。' },
  facts: {
    finished: (_count, shown, first) => `${shown} 个${first ? '任务' : ''}已完成`,
    running: (_count, shown, first) => `${shown} 个${first ? '任务' : ''}运行中`,
    waiting: (_count, shown, first) => `${shown} 个${first ? '任务' : ''}等待中`,
    needsYou: (_count, shown, first) => `${shown} 个${first ? '任务' : ''}需要你处理`,
    join: (facts) => `${facts.join('，')}。`,
  },
  files: (_count, shown) => `已完成 ${shown} 个文件。`,
  nothingRepeated: '中断后没有重复处理任何已完成的文件。',
  repeated: (shown) => `中断后重复了 ${shown} 个。`,
  foundAtStart: (count, shown, lastSaved) =>
    `上次 Talaria 结束时有 ${shown} 个任务正在运行（最后保存：${past(lastSaved)}），现已自动继续。`,
  foundWaiting: (_count, shown, lastSaved) =>
    `上次 Talaria 结束时有 ${shown} 个任务正在运行（最后保存：${past(lastSaved)}），正在下面等你处理。`,
  newTask: '新建任务',
  continueAll: '全部继续',
  sections: { needsYou: '需要你处理', running: '运行中', waiting: '等待中', finished: '已完成', damaged: '已损坏' },
  row: {
    of: (done, _count, planned) => `${planned} 个文件中的 ${done} 个`,
    allFiles: (_count, shown) => `全部 ${shown} 个文件`,
    left: (range) => `还需 ${range}`,
    failed: (shown) => `${shown} 个失败`,
    partly: (failed, planned) => `已完成，${planned} 个文件中有 ${failed} 个失败`,
    skipped: (shown) => `跳过 ${shown} 个`,
    looking: (_count, seen) => `正在查看文件夹：已找到 ${seen} 个文件`,
    merging: '所有文件已读完，正在合并结果',
    reporting: '正在撰写报告',
    starting: '正在启动',
    paused: '由你暂停。已完成的都已保存。',
    cancelled: '已取消。已完成的部分仍然保留。',
    failedTask: '未能完成。',
    outputWaits: '有改动过的文件等你答复',
    writtenTo: (path) => `已写入 ${path}`,
    expires: (when) => `${when}删除`,
    inFolder: (folder) => `位于“${folder}”`,
  },
  actions: {
    continue: '继续',
    continueIn: (folder) => `在“${folder}”中继续`,
    tryAgain: '立即重试',
    openReport: '打开报告',
    open: '打开',
    answer: '去答复',
    delete: '删除',
  },
  damaged: {
    unnamed: '名称无法读取的任务',
    export: '保存所有残留内容',
    delete: '删除残留内容',
  },
  empty: {
    title: '让你的模型处理整个文件夹',
    text: 'Talaria 用你自己的模型阅读每个文件，随时保存每个结果，无论发生什么都从中断处继续。',
    steps: [
      { title: '选择文件夹', text: '多种文本：笔记、网页、表格、日志、代码。除了你选择的模型，数据不会离开这台电脑。' },
      { title: '说明要做什么', text: '为每个文件写摘要、回答问题、分类或翻译。' },
      { title: '让它运行', text: '关闭标签页也好，断网也好：已完成的文件绝不会再做一遍。最后会写出报告。' },
    ],
    start: '创建任务',
    sample: '用示例文件夹试一试',
    sampleHint: '无需服务器：内置的小引擎会演示整个过程。',
  },
  unreadable: '暂时无法读取任务，每隔几秒会重试。',
};
