import type { FaultPoint } from '../../core/fault-points';
import { counted } from './plural';

export const check = {
  title: 'Self-check',
  intro:
    'See for yourself whether this browser keeps what is promised. A small task is made from the sample texts and the built-in engine, and its worker is ended at each of thirteen named moments. Nothing leaves this computer, and everything is deleted again.',
  run: 'Run the check',
  again: 'Run it again',
  running: (done: string, of: string) => `Run ${done} of ${of}`,
  at: {
    undisturbed: 'Once without a disturbance, to compare with',
    point: (moment: string) => `The worker is ended as ${moment}`,
    fork: 'A fork from the middle of the task',
    crowd: 'Eight workers are told to go on at once',
  },
  stay: 'Leave this page open until it is done.',
  pass: 'Holds',
  fail: 'Does not hold',
  none: 'Not checked yet',
  looked: (count: number, shown: string, seconds: string) => `${counted(count, shown, 'fact')} compared in ${seconds}`,
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
  columns: { point: 'Ended as', before: 'Finished before', after: 'Finished after', requests: 'Answers', time: 'Took' },
  nowhere: 'Not ended',
  points: {
    'after-own': 'the task is taken over',
    'after-plan': 'the folder is looked through',
    'before-request': 'a file is about to be asked about',
    'mid-stream': 'an answer is coming in',
    'after-response': 'an answer is there and not saved',
    'before-commit': 'something is about to be saved',
    'after-commit': 'something is just saved',
    'after-intent': 'a file of the output is about to be written',
    'after-effect': 'a file of the output is just written',
    'before-done': 'all files are written and that is not saved',
    'mid-reduce': 'the merging of the results is planned',
    'before-report': 'the report is about to be put together',
    'after-report': 'the report is put together and not saved',
  } satisfies Record<FaultPoint, string>,
  faults: (count: number, shown: string) =>
    `${counted(count, shown, 'fact')} ${count === 1 ? 'speaks' : 'speak'} against it. The evidence says which.`,
};
