import { vi } from 'vitest';
import { DISK_KINDS, MEMORY } from '../../testing/disks';
import { JOB_CASES, SHORT_FILES } from '../../testing/job-cases';
import { every, one, PROPERTY_LIMIT_MS, some } from '../../testing/property-case';
import { checkpointValidity } from './checkpoint-validity.conformance';
import { consumeOnce } from './consume-once.conformance';
import { effectExactlyOnce } from './effect-exactly-once.conformance';
import { forkDeterminism } from './fork-determinism.conformance';
import { prefixContinuation } from './prefix-continuation.conformance';
import { recoveryDeterminism } from './recovery-determinism.conformance';

vi.setConfig({ testTimeout: PROPERTY_LIMIT_MS });

for (const disk of DISK_KINDS) {
  for (const job of JOB_CASES) {
    prefixContinuation({ disk, job, pick: job === SHORT_FILES ? every : some });
    effectExactlyOnce({ disk, job, pick: some });
    forkDeterminism({ disk, job, pick: some });
    checkpointValidity({ disk, job, pick: some });
    consumeOnce({ disk, job, pick: some });
    recoveryDeterminism({ disk, job, pick: disk === MEMORY ? some : one });
  }
}
