import { PrefillSpeed } from './prefill-speed';
import { RequestDialect } from './request-dialect';
import { KnownWays } from './resume/ways';

/** What requests teach of a server, of use to whoever asks it next. */
export interface Learned {
  readonly dialect: RequestDialect;
  readonly speed: PrefillSpeed;
  readonly ways: KnownWays;
}

export function nothingLearned(): Learned {
  return { dialect: new RequestDialect(), speed: new PrefillSpeed(), ways: new KnownWays() };
}
