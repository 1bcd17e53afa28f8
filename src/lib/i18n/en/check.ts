export const check = {
  title: 'Self-check',
  intro:
    'See for yourself whether this browser keeps what is promised. A small task is made from the sample texts and the built-in engine, and its worker is ended at each of thirteen named moments. Nothing leaves this computer, and everything is deleted again.',
  run: 'Run the check',
  again: 'Run it again',
  running: (done: string, of: string) => `Run ${done} of ${of}`,
  at: {
    undisturbed: 'Once without a disturbance, to compare with',
    point: (name: string) => `The worker is ended at “${name}”`,
    fork: 'A fork from the middle of the task',
    crowd: 'Eight workers are told to go on at once',
  },
  stay: 'Leave this page open until it is done.',
  pass: 'Holds',
  fail: 'Does not hold',
  none: 'Not checked yet',
  looked: (facts: string, seconds: string) => `${facts} facts compared in ${seconds}`,
  allPass: 'All six properties hold in this browser.',
  someFail:
    'Something does not hold in this browser. Your tasks are untouched. Please download the evidence and send it to us.',
  broke: 'The check could not be carried out to its end. Your tasks are untouched.',
  evidence: 'Download the evidence',
  properties: {
    prefix: {
      name: 'What is finished stays',
      text: 'A step that was saved before the end of a worker is the same afterwards, and is not made again.',
    },
    effects: {
      name: 'Every file is written once',
      text: 'Each file of the output is there exactly once, whole and right.',
    },
    fork: {
      name: 'A fork leaves its parent alone',
      text: 'It begins with what was finished, asks for nothing again, and changes nothing of the other task.',
    },
    checkpoints: { name: 'The past is true', text: 'Every checkpoint says what the task really was at that moment.' },
    'consume-once': {
      name: 'Only one goes on',
      text: 'Of eight workers told to go on, one does; no answer is asked for twice.',
    },
    recovery: {
      name: 'The same report, whatever happens',
      text: 'Byte for byte, at whichever moment the worker was ended.',
    },
  },
  runs: 'Each run',
  columns: { point: 'Ended at', before: 'Finished before', after: 'Finished after', requests: 'Answers', time: 'Took' },
  nowhere: 'nowhere',
};
