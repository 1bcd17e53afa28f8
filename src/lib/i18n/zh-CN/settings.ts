import type { settings as shape } from '../en/settings';

export const settings: typeof shape = {
  title: '设置',
  language: '语言',
  languageHint: '界面的语言。向模型提出的问题及其报告使用各任务自己的语言。',
  theme: '主题',
  themes: { system: '跟随系统', light: '浅色', dark: '深色' },
  app: '关于此应用',
  built: (when) => `此版本构建于 ${when}。`,
  offlineReady: '已保存在此浏览器中：没有网络也能打开。',
  offlinePreparing: '正在保存，以便离线使用。',
  offlineUnsupported: '未能保存供离线使用：此浏览器或此地址不允许。',
  browser: '此浏览器提供的功能',
  offers: {
    folderPicker: '文件夹在原处读取',
    folderPickerNot: '文件夹先复制再读取',
    locks: '任务不会被第二个标签页同时处理',
    privateFiles: '有空间存放文件夹副本',
    secureContext: '地址安全',
    indexedDb: '任务可以保留',
  },
  yes: '是',
  no: '否',
};
