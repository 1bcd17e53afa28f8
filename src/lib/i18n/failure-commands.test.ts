import { describe, expect, test } from 'vitest';
import { contextCommand, corsCommand, letInCommand, modelCommand, serverKind, startCommand } from './failure-commands';

const ORIGIN = 'https://talaria.example';

describe('serverKind', () => {
  test('believes what was found out before the port', () => {
    expect(serverKind({ server: 'vllm', url: 'http://127.0.0.1:11434/v1' })).toBe('vllm');
  });

  test.each([
    ['http://127.0.0.1:11434/v1', 'ollama'],
    ['http://localhost:1234/v1', 'lm-studio'],
    ['http://[::1]:8080/v1', 'llama.cpp'],
    ['http://10.0.0.2:8000/v1', 'vllm'],
    ['https://models.example/v1', null],
    ['not a url', null],
  ])('guesses %s to be %s', (url, kind) => {
    expect(serverKind({ url })).toBe(kind);
  });

  test('ignores a server it has no commands for', () => {
    expect(serverKind({ server: 'tgi' })).toBeNull();
  });
});

describe('corsCommand', () => {
  test.each([
    ['ollama', `OLLAMA_ORIGINS=${ORIGIN} ollama serve`],
    ['lm-studio', 'lms server start --cors'],
    ['llama.cpp', `llama-server -m model.gguf --cors-origins ${ORIGIN}`],
    ['vllm', `vllm serve NousResearch/Hermes-3 --allowed-origins '["${ORIGIN}"]'`],
  ])('opens %s to this page and to no other', (server, command) => {
    expect(corsCommand({ server, origin: ORIGIN, model: 'NousResearch/Hermes-3' })).toBe(command);
  });
});

describe('letInCommand', () => {
  test('allows the header that was refused, where a server has a line for that, and no origin', () => {
    const details = { origin: ORIGIN, model: 'hermes', header: 'x-team' };
    expect(letInCommand({ ...details, server: 'vllm' })).toBe(`vllm serve hermes --allowed-headers '["*"]'`);
    expect(letInCommand(details)).toBe('');
    expect(letInCommand({ ...details, server: 'vllm', header: '' })).toContain('--allowed-origins');
  });
});

describe('a pasted command', () => {
  test('is one command, whatever the model is called', () => {
    const model = "x'; rm -rf ~; echo '";
    expect(modelCommand({ server: 'ollama', model })).toBe(`ollama pull 'x'\\''; rm -rf ~; echo '\\'''`);
  });

  test('starts LM Studio so that this page may read its answers, as it does not by default', () => {
    expect(startCommand({ server: 'lm-studio' })).toBe('lms server start --cors');
  });

  test('asks the server itself when its kind is unknown', () => {
    expect(startCommand({ url: 'https://models.example/v1' })).toBe('curl https://models.example/v1/models');
    expect(modelCommand({ url: 'https://models.example/v1' })).toBe('curl https://models.example/v1/models');
  });

  test.each(['ollama', 'lm-studio', 'llama.cpp', 'vllm'])(
    'exists for starting %s and for a larger window',
    (server) => {
      expect(startCommand({ server })).not.toMatch(/curl|undefined/);
      expect(contextCommand({ server })).toMatch(/16384/);
    },
  );
});
