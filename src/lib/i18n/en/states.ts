export const states = {
  status: {
    pending: 'Starting',
    running: 'Running',
    paused: 'Paused',
    completed: 'Finished',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  reason: {
    user: 'Paused',
    network: 'Waiting for the network',
    endpoint: 'Waiting for the model',
    permission: 'Needs the folder',
    storage: 'Storage is full',
    approval: 'Needs your approval',
    attention: 'Needs you',
  },
  partly: (failed: string) => `Finished, ${failed} failed`,
};
