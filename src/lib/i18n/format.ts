import type { TimeLeft } from '../core/pace';
import type { Language } from '../core/language';

/** Numbers, sizes and times as people of one language write them. */
export interface Formats {
  /** `1,200` */
  number(value: number): string;
  /** `198K`, `19.8万`: for numbers that only their size matters of. */
  compact(value: number): string;
  /** `17.9`, `248`: one digit after the point at most, and none where it says nothing. */
  decimal(value: number): string;
  /** `512 KB`, `1.5 MB`, in units of 1,024. */
  bytes(sizeBytes: number): string;
  /** `38–52 min`; the unit is the one the longer end is told in. */
  timeLeft(left: TimeLeft): string;
  /** `<0.1 s`, `0.3 s`, `9 s`, `1 min 12 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
  duration(durationMs: number): string;
  /** `06:12` for today, `yesterday 22:40`, then the date with the time. */
  when(atMs: number, nowMs: number): string;
  /** `3 days ago`, `in 3 days`, `now`. */
  relative(atMs: number, nowMs: number): string;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Longer spans are told in whole minutes. */
const TOLD_TO_THE_SECOND_MIN = 10;
const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

const UNITS = {
  en: {
    second: ' s',
    minute: ' min',
    minuteOf: ' min',
    hour: ' h',
    day: ' d',
    between: ' ',
    yesterday: 'yesterday ',
  },
  'zh-CN': {
    second: ' 秒',
    minute: ' 分钟',
    minuteOf: ' 分',
    hour: ' 小时',
    day: ' 天',
    between: ' ',
    yesterday: '昨天 ',
  },
} as const satisfies Record<Language, object>;

const MADE = new Map<Language, Formats>();

export function formatsFor(language: Language): Formats {
  const made = MADE.get(language) ?? make(language);
  MADE.set(language, made);
  return made;
}

function make(language: Language): Formats {
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const tenth = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  const clock = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' });
  const dayOfYear = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' });
  const distance = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const units = UNITS[language];
  // As durations are: a number and a Chinese word are set apart.
  const told = (amount: number, unit: Intl.RelativeTimeFormatUnit) =>
    distance.format(amount, unit).replace(/(\d)(?=\p{Script=Han})/gu, '$1 ');

  function duration(durationMs: number): string {
    const ms = Math.max(0, durationMs);
    if (ms > 0 && ms < 0.95 * SECOND_MS) {
      return `${ms < 0.05 * SECOND_MS ? `<${tenth.format(0.1)}` : tenth.format(ms / SECOND_MS)}${units.second}`;
    }
    const [seconds, minutes] = [Math.round(ms / SECOND_MS), Math.round(ms / MINUTE_MS)];
    if (seconds < 60) return `${whole.format(seconds)}${units.second}`;
    if (seconds < 60 * TOLD_TO_THE_SECOND_MIN) {
      return pair(ms, MINUTE_MS, seconds % 60 === 0 ? units.minute : units.minuteOf, SECOND_MS, units.second);
    }
    if (minutes < 60) return `${whole.format(minutes)}${units.minute}`;
    if (minutes < 24 * 60) return pair(ms, HOUR_MS, units.hour, MINUTE_MS, units.minute);
    return pair(ms, DAY_MS, units.day, HOUR_MS, units.hour);
  }

  function pair(ms: number, bigMs: number, bigUnit: string, smallMs: number, smallUnit: string): string {
    const small = Math.round(ms / smallMs);
    const perBig = bigMs / smallMs;
    const big = `${whole.format(Math.floor(small / perBig))}${bigUnit}`;
    return small % perBig === 0 ? big : `${big}${units.between}${whole.format(small % perBig)}${smallUnit}`;
  }

  return {
    number: (value) => whole.format(value),
    compact: (value) => short.format(value),
    decimal: (value) => (value < 100 ? tenth : whole).format(value),
    bytes: (sizeBytes) => {
      const power = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log2(Math.max(1, sizeBytes)) / 10));
      const amount = sizeBytes / 1024 ** power;
      return `${(amount < 10 && power > 0 ? tenth : whole).format(amount)} ${BYTE_UNITS[power]}`;
    },
    timeLeft: ({ lowMs, highMs }) => {
      const [unitMs, unit] =
        highMs < 2 * MINUTE_MS
          ? ([SECOND_MS, units.second] as const)
          : highMs < 2 * HOUR_MS
            ? ([MINUTE_MS, units.minute] as const)
            : highMs < 2 * DAY_MS
              ? ([HOUR_MS, units.hour] as const)
              : ([DAY_MS, units.day] as const);
      const coarse = unitMs >= HOUR_MS ? tenth : whole;
      const low = coarse.format(lowMs / unitMs);
      const high = coarse.format(highMs / unitMs);
      return low === high ? `${high}${unit}` : `${low}–${high}${unit}`;
    },
    duration,
    when: (atMs, nowMs) => {
      const daysAgo = (startOfDay(nowMs) - startOfDay(atMs)) / DAY_MS;
      const time = clock.format(atMs);
      if (Math.round(daysAgo) === 0) return time;
      if (Math.round(daysAgo) === 1) return `${units.yesterday}${time}`;
      const sameYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
      return `${(sameYear ? day : dayOfYear).format(atMs)} ${time}`;
    },
    relative: (atMs, nowMs) => {
      const apartMs = atMs - nowMs;
      const size = Math.abs(apartMs);
      if (size < MINUTE_MS) return told(0, 'second');
      if (size < HOUR_MS) return told(Math.round(apartMs / MINUTE_MS), 'minute');
      if (size < DAY_MS) return told(Math.round(apartMs / HOUR_MS), 'hour');
      return told(Math.round(apartMs / DAY_MS), 'day');
    },
  };
}

function startOfDay(atMs: number): number {
  return new Date(atMs).setHours(0, 0, 0, 0);
}
