import type { effects as shape } from '../en/effects';

export const effects: typeof shape = {
  contested: {
    what: (path) => `${path} 在 Talaria 之外被改动过。`,
    askedAgain: '你答复之后，它又被改动过。',
    safe: '它保持原样。Talaria 要写的内容没有丢失，就在这里的报告和结果中。',
    overwrite: '覆盖它',
    keep: '保留我的版本',
  },
  inDoubt: {
    what: (target) => `${target}：应用结束之前，它可能已经发出。`,
    askedAgain: '你答复之后，它可能又发出过一次。',
    safe: '它不会自动重发，也不会被遗忘。如果可以，请到对方那里确认。',
    sent: '已经发出',
    again: '再发一次',
    skip: '跳过',
  },
  more: (_count, shown) => `有 ${shown} 个文件等待同样的答复。`,
  overwriteAll: '全部覆盖',
  keepAll: '全部保留我的版本',
};
