/**
 * `npm run test:llama`: what is tested against a real llama-server. TALARIA_LLAMA_SERVER names the program (else
 * `llama-server` is looked for in the path), TALARIA_GGUF a model file. Says loudly when it cannot.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT } from './built-app.mjs';

const inPath = (process.env.PATH ?? '')
  .split(delimiter)
  .map((dir) => join(dir, 'llama-server'))
  .find((file) => existsSync(file));
const binary = process.env.TALARIA_LLAMA_SERVER ?? inPath;
const gguf = process.env.TALARIA_GGUF;

if (binary === undefined || gguf === undefined || !existsSync(binary) || !existsSync(gguf)) {
  console.error('────────────────────────────────────────────────────────────────────');
  console.error('SKIPPED: nothing was tested against a real llama-server.');
  console.error(`  TALARIA_LLAMA_SERVER, the program: ${binary ?? 'not set, and not in the path'}`);
  console.error(`  TALARIA_GGUF, a model file: ${gguf ?? 'not set'}`);
  console.error('────────────────────────────────────────────────────────────────────');
} else {
  const env = { ...process.env, TALARIA_LLAMA_SERVER: binary, TALARIA_GGUF: gguf };
  const passed = [
    [
      'vitest',
      'run',
      '--project',
      'unit',
      'src/lib/llm/llama-server.test.ts',
      'src/lib/llm/resume/llama-server-resume.test.ts',
    ],
    ['playwright', 'test', '--project=e2e', 'real-'],
  ].map(([program = '', ...args]) => {
    const file = join(ROOT, 'node_modules', '.bin', program);
    return (
      spawnSync(file, args, { cwd: ROOT, stdio: 'inherit', env, shell: process.platform === 'win32' }).status === 0
    );
  });
  process.exitCode = passed.every(Boolean) ? 0 : 1;
}
