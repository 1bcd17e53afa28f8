import { counted, files } from './plural';

/** Only the first fact of a sentence names what is counted. */
const tasks = (count: number, shown: string, first: boolean) => {
  const number = count === 1 ? 'one' : shown;
  if (!first) return number;
  return counted(count, number, 'task');
};

/** As `Intl` has it, "now" is no time at which something happened. */
const past = (told: string) => (told === 'now' ? 'just now' : told);

export const home = {
  title: 'Tasks',
  sentences: (list: readonly string[]) => list.join(' '),
  greeting: { night: 'Good night.', morning: 'Good morning.', afternoon: 'Good afternoon.', evening: 'Good evening.' },
  facts: {
    finished: (count: number, shown: string, first: boolean) => `${tasks(count, shown, first)} finished`,
    running: (count: number, shown: string, first: boolean) => `${tasks(count, shown, first)} running`,
    waiting: (count: number, shown: string, first: boolean) => `${tasks(count, shown, first)} waiting`,
    needsYou: (count: number, shown: string, first: boolean) =>
      `${tasks(count, shown, first)} ${count === 1 ? 'needs' : 'need'} you`,
    join: (facts: readonly string[]) => {
      const sentence = facts.join(', ');
      return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
    },
  },
  files: (count: number, shown: string) => (count === 1 ? 'One file is done.' : `${shown} files are done.`),
  nothingRepeated: 'Interruptions repeated no finished file.',
  repeated: (shown: string) => `${shown} repeated after interruptions.`,
  foundAtStart: (count: number, shown: string, lastSaved: string) =>
    count === 1
      ? `One task had been running when Talaria ended; it last saved ${past(lastSaved)}. It has gone on by itself.`
      : `${shown} tasks had been running when Talaria ended; they last saved ${past(lastSaved)}. They have gone on by themselves.`,
  foundWaiting: (count: number, shown: string, lastSaved: string) =>
    count === 1
      ? `One task had been running when Talaria ended; it last saved ${past(lastSaved)}. It waits for you below.`
      : `${shown} tasks had been running when Talaria ended; they last saved ${past(lastSaved)}. They wait for you below.`,
  newTask: 'New task',
  continueAll: 'Continue all',
  sections: { needsYou: 'Needs you', running: 'Running', waiting: 'Waiting', finished: 'Finished', damaged: 'Damaged' },
  row: {
    of: (done: string, count: number, planned: string) => `${done} of ${files(count, planned)}`,
    allFiles: (count: number, shown: string) => (count === 1 ? 'The one file' : `All ${shown} files`),
    left: (range: string) => `${range} left`,
    failed: (shown: string) => `${shown} failed`,
    partly: (failed: string, planned: string) => `Finished, ${failed} of ${planned} failed`,
    skipped: (shown: string) => `${shown} skipped`,
    looking: (count: number, seen: string) => `Looking through the folder: ${files(count, seen)} so far`,
    merging: 'All files are read. Merging the results',
    reporting: 'Writing the report',
    starting: 'Starting',
    paused: 'You paused it. Everything finished is saved.',
    cancelled: 'Cancelled. What was done is kept.',
    failedTask: 'It could not be finished.',
    outputWaits: 'what you changed in the folder waits for your answer',
    writtenTo: (path: string) => `written to ${path}`,
    expires: (when: string) => `deleted ${when}`,
    inFolder: (folder: string) => `in “${folder}”`,
  },
  actions: {
    continue: 'Continue',
    continueIn: (folder: string) => `Continue in “${folder}”`,
    tryAgain: 'Try again now',
    openReport: 'Open report',
    open: 'Open',
    answer: 'Answer',
    delete: 'Delete',
  },
  damaged: {
    unnamed: 'A task without a readable name',
    delete: 'Delete what is left of it',
    export: 'Save all that is left of it',
  },
  empty: {
    title: 'Let your model work through a folder',
    text: 'Talaria reads every file with your own model, saves each result at once, and goes on where it stopped whatever happens.',
    steps: [
      {
        title: 'Pick a folder',
        text: 'Text of many kinds: notes, web pages, tables, logs, code. Nothing leaves this computer but for the model you choose.',
      },
      { title: 'Say what you want', text: 'A summary of each file, answers to a question, labels, a translation.' },
      {
        title: 'Let it run',
        text: 'Close the tab, lose the network: finished files are never done again. The report is written at the end.',
      },
    ],
    start: 'Make a task',
    sample: 'Try it with the sample folder',
    sampleHint: 'Needs no server: a small built-in engine shows how it goes.',
  },
  unreadable: 'The tasks cannot be read just now. They are tried again every few seconds.',
};
