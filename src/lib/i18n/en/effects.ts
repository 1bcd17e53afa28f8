import { files } from './plural';

export const effects = {
  contested: {
    what: (path: string) => `${path} was changed outside Talaria.`,
    askedAgain: 'It was changed once more after you answered.',
    safe: 'It was left as it is. What Talaria wanted to write is safe here, in the report and the results.',
    overwrite: 'Write over it',
    keep: 'Keep mine',
  },
  inDoubt: {
    what: (target: string) => `${target}: this may have been sent before the app ended.`,
    askedAgain: 'It may have been sent once more since you answered.',
    safe: 'It is neither sent again by itself nor forgotten. Look at the other side if you can.',
    sent: 'It was sent',
    again: 'Send again',
    skip: 'Skip',
  },
  more: (count: number, shown: string) =>
    `${files(count, shown)} ${count === 1 ? 'waits' : 'wait'} for the same answer.`,
  overwriteAll: 'Write over all',
  keepAll: 'Keep all mine',
};
