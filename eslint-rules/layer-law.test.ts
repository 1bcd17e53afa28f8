import { RuleTester } from 'eslint';
import { describe, expect, it, test } from 'vitest';
import { readdirSync } from 'node:fs';
import tseslint from 'typescript-eslint';
import layerLaw from './layer-law.js';
import { LAYERS } from './layers.js';

RuleTester.describe = describe;
RuleTester.it = it;

const tester = new RuleTester({ languageOptions: { parser: tseslint.parser, sourceType: 'module' } });

const at = (file: string) => `/home/someone/talaria/src/${file}`;
const good = (file: string, code: string) => ({ name: `${file}: ${code}`, filename: at(file), code });
const bad = (file: string, code: string, messageId: string) => ({
  name: `${file}: ${code}`,
  filename: at(file),
  code,
  errors: [{ messageId }],
});

tester.run('layer-law', layerLaw, {
  valid: [
    good('lib/core/task.ts', `import { x } from './counts'`),
    good('lib/engine/loop.ts', `import { x } from '../core/task'`),
    good('lib/jobs/batch/plan.ts', `import { x } from '../../engine/loop'`),
    good('lib/storage/store-idb.ts', `import Dexie from 'dexie'`),
    good('lib/llm/model-openai.ts', `import { APIError } from 'openai/error'`),
    good('lib/state/tasks.svelte.ts', `import { db } from '../storage/database'`),
    good('lib/ui/task/head.ts', `import { tasks } from '../../state/tasks.svelte'`),
    good('workers/agent.worker.ts', `import { a } from '../lib/jobs/batch'; import * as c from 'comlink'`),
    good('workers/agent.worker.ts', `import { a } from '$lib/jobs/batch'`),
    good('routes/new/+page.ts', `import { t } from '$lib/i18n/messages'`),
    good('service-worker/index.ts', `import type { TaskId } from '../lib/core/ids'`),
    good('service-worker/index.ts', `import { type TaskId } from '../lib/core/ids'`),
    good('service-worker/index.ts', `import { build } from '$service-worker'`),
    good('lib/engine/loop.test.ts', `import { fakeClock } from '../testing/fake-clock'; import { test } from 'vitest'`),
    good('lib/storage/store.conformance.ts', `import fc from 'fast-check'`),
    good('lib/extract/read.test.ts', `import { readFileSync } from 'node:fs'`),
    good('lib/extract/read.test.ts', `import body from '../../../tests/cases/a.json'`),
    good('lib/jobs/results.test.ts', `import { parse } from 'papaparse'`),
    good('lib/testing/bench.ts', `import { createHash } from 'node:crypto'; import { job } from '../jobs/batch'`),
    good('app.d.ts', `import 'anything'`),
    { name: 'a file outside of src', filename: '/home/someone/talaria/scripts/x.ts', code: `import 'dexie'` },
  ],
  invalid: [
    bad('lib/core/task.ts', `import { x } from '../engine/loop'`, 'layer'),
    bad('lib/core/task.ts', `import type { X } from '../engine/loop'`, 'layer'),
    bad('lib/core/task.ts', `import { nanoid } from 'nanoid'`, 'package'),
    bad('lib/core/task.ts', `import { readFile } from 'node:fs/promises'`, 'package'),
    bad('lib/engine/loop.ts', `import { db } from '../storage/database'`, 'layer'),
    bad('lib/engine/loop.ts', `export { db } from '../storage/database'`, 'layer'),
    bad('lib/engine/loop.ts', `export * from '../storage/database'`, 'layer'),
    bad('lib/engine/loop.ts', `const x = await import('../storage/database')`, 'layer'),
    bad('lib/engine/loop.ts', `let x: import('../storage/database').Db`, 'layer'),
    bad('lib/engine/loop.ts', `import { fakeClock } from '../testing/fake-clock'`, 'layer'),
    bad('lib/engine/loop.ts', `import { test } from 'vitest'`, 'package'),
    bad('lib/storage/store-idb.ts', `import { walk } from '../folders/walk'`, 'layer'),
    bad('lib/folders/walk.ts', `import Dexie from 'dexie'`, 'package'),
    bad('lib/extract/read.ts', `import OpenAI from 'openai'`, 'package'),
    bad('lib/bridge/worker-host.ts', `import { run } from '../../workers/agent.worker?worker'`, 'layer'),
    bad('lib/testing/bench.ts', `import { tasks } from '../state/tasks.svelte'`, 'layer'),
    bad('lib/jobs/batch.test.ts', `import { db } from '../storage/database'`, 'layer'),
    bad('lib/ui/task/head.ts', `import { db } from '../../storage/database'`, 'layer'),
    bad('lib/ui/task/head.ts', `import type { Db } from '../../storage/database'`, 'layer'),
    bad('lib/ui/task/head.ts', `import { t } from '$lib/i18n/messages'`, 'alias'),
    bad('lib/i18n/messages.ts', `import { tasks } from '../state/tasks.svelte'`, 'layer'),
    bad('routes/new/+page.ts', `import { db } from '$lib/storage/database'`, 'layer'),
    bad('workers/agent.worker.ts', `import { t } from '../lib/i18n/messages'`, 'layer'),
    bad('service-worker/index.ts', `import { failure } from '../lib/core/failure'`, 'layer'),
    bad('lib/utils/strings.ts', `export const x = 1`, 'unknown'),
  ],
});

test('every folder of src is a layer', () => {
  const folders = (path: string) =>
    readdirSync(new URL(path, import.meta.url), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'lib')
      .map((entry) => entry.name);
  const found = [...folders('../src/'), ...folders('../src/lib/')];
  expect(found.filter((name) => !Object.hasOwn(LAYERS, name))).toEqual([]);
});

test('no two layers import each other', () => {
  for (const [name, { may }] of Object.entries(LAYERS)) {
    for (const other of may) expect(LAYERS[other]?.may ?? []).not.toContain(name);
  }
});
