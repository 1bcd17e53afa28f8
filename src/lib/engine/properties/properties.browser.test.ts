import { afterEach, vi } from 'vitest';
import { BROWSER, BROWSER_JOURNAL_ALONE, closeBrowserDisks } from '../../../../tests/support/browser-disk';
import { LONG_FILES, SHORT_FILES } from '../../testing/job-cases';
import { one, PROPERTY_LIMIT_MS } from '../../testing/property-case';
import { checkpointValidity } from './checkpoint-validity.conformance';
import { consumeOnce } from './consume-once.conformance';
import { effectExactlyOnce } from './effect-exactly-once.conformance';
import { forkDeterminism } from './fork-determinism.conformance';
import { prefixContinuation } from './prefix-continuation.conformance';
import { recoveryDeterminism } from './recovery-determinism.conformance';

vi.setConfig({ testTimeout: PROPERTY_LIMIT_MS });
afterEach(closeBrowserDisks);

const SHORT = { disk: BROWSER, job: SHORT_FILES, pick: one };

prefixContinuation(SHORT);
effectExactlyOnce(SHORT);
forkDeterminism(SHORT);
checkpointValidity(SHORT);
consumeOnce(SHORT);
recoveryDeterminism(SHORT);

prefixContinuation({ ...SHORT, job: LONG_FILES });
prefixContinuation({ ...SHORT, disk: BROWSER_JOURNAL_ALONE });
checkpointValidity({ ...SHORT, disk: BROWSER_JOURNAL_ALONE });
