import type { states as shape } from '../en/states';

export const states: typeof shape = {
  status: {
    pending: '正在启动',
    running: '运行中',
    paused: '已暂停',
    completed: '已完成',
    failed: '失败',
    cancelled: '已取消',
  },
  reason: {
    user: '已暂停',
    network: '等待网络',
    endpoint: '等待模型',
    permission: '需要文件夹',
    storage: '存储空间已满',
    approval: '需要你批准',
    attention: '需要你处理',
  },
  partly: (failed) => `已完成，${failed} 个失败`,
};
