import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

const PROGRAM = 'tests/support/scripted/by-hand.mjs';
const PAGE = 'http://localhost:4173';

it('says what it can be asked for, also when it was asked for something else', () => {
  const help = spawnSync(process.execPath, [PROGRAM, '--help'], { encoding: 'utf8' });
  expect([help.status, help.stderr]).toEqual([0, '']);
  expect(help.stdout).toContain('--dialect');
  const wrong = spawnSync(process.execPath, [PROGRAM, '--dialekt', 'vllm'], { encoding: 'utf8' });
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain("'--dialekt'");
  expect(wrong.stderr).toContain(help.stdout);
});

it('lets a page in that it is told of, also as LM Studio, which lets none in by itself', async () => {
  const asked = ['--port', '0', '--dialect', 'lm-studio', '--allow-origin', PAGE];
  const child = spawn(process.execPath, [PROGRAM, ...asked]);
  try {
    const [said] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const url = /http:\S+/.exec(said)?.[0] ?? '';
    const answer = await fetch(`${url}/models`, { headers: { origin: PAGE } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  } finally {
    const gone = once(child, 'exit');
    child.kill();
    await gone;
  }
});
