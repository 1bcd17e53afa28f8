import type { FailureDetails } from '../core/failure';
import { detail } from './failure-text';

export type ServerKind = 'ollama' | 'vllm' | 'llama.cpp' | 'lm-studio';

const PORTS: Readonly<Record<string, ServerKind>> = {
  '11434': 'ollama',
  '8000': 'vllm',
  '8080': 'llama.cpp',
  '1234': 'lm-studio',
};

/** Which server this is: told by the details, else guessed from the port that each uses by default. */
export function serverKind(details: FailureDetails): ServerKind | null {
  const told = Object.values(PORTS).find((kind) => kind === details.server);
  if (told) return told;
  const url = detail(details, 'url');
  return url !== null && URL.canParse(url) ? (PORTS[new URL(url).port] ?? null) : null;
}

/** Lets this page read the server's answers. */
export function corsCommand(details: FailureDetails): string {
  const origin = appOrigin(details);
  switch (serverKind(details)) {
    case 'ollama':
      return `OLLAMA_ORIGINS=${quoted(origin)} ollama serve`;
    case 'lm-studio':
      return 'lms server start --cors';
    case 'llama.cpp':
      return `llama-server -m model.gguf --cors-origins ${quoted(origin)}`;
    case 'vllm':
    case null:
      return `vllm serve ${quoted(modelOf(details))} --allowed-origins ${quoted(JSON.stringify([origin]))}`;
  }
}

/** The same where only a header is refused: few servers have a line for that, and it is empty for the others. */
export function letInCommand(details: FailureDetails): string {
  if (detail(details, 'header') === null) return corsCommand(details);
  return serverKind(details) === 'vllm' ? `vllm serve ${quoted(modelOf(details))} --allowed-headers '["*"]'` : '';
}

/** Starts the server, or asks it whether it is there when it is not known which it is. */
export function startCommand(details: FailureDetails): string {
  const url = detail(details, 'url') ?? 'http://127.0.0.1:8000/v1';
  switch (serverKind(details)) {
    case 'ollama':
      return 'ollama serve';
    case 'lm-studio':
      // Its answers cannot be read by any page otherwise.
      return corsCommand(details);
    case 'llama.cpp':
      return 'llama-server -m model.gguf --port 8080';
    case 'vllm':
      return `vllm serve ${quoted(modelOf(details))} --host 127.0.0.1 --port 8000`;
    case null:
      return `curl ${quoted(`${url}/models`)}`;
  }
}

/** Fetches the model, or lists the ones there are. */
export function modelCommand(details: FailureDetails): string {
  if (serverKind(details) === 'ollama') return `ollama pull ${quoted(modelOf(details))}`;
  return `curl ${quoted(`${detail(details, 'url') ?? 'http://127.0.0.1:8000/v1'}/models`)}`;
}

/** Serves the same model with a larger context window. */
export function contextCommand(details: FailureDetails): string {
  switch (serverKind(details)) {
    case 'ollama':
      return 'OLLAMA_CONTEXT_LENGTH=16384 ollama serve';
    case 'lm-studio':
      return `lms load ${quoted(modelOf(details))} --context-length 16384`;
    case 'llama.cpp':
      return 'llama-server -m model.gguf -c 16384';
    case 'vllm':
    case null:
      return `vllm serve ${quoted(modelOf(details))} --max-model-len 16384`;
  }
}

function modelOf(details: FailureDetails): string {
  return detail(details, 'model') ?? 'NousResearch/Hermes-3-Llama-3.1-8B';
}

function appOrigin(details: FailureDetails): string {
  const here: { readonly location?: { readonly origin: string } } = globalThis;
  return detail(details, 'origin') ?? here.location?.origin ?? 'http://localhost:4173';
}

/** One word of a POSIX shell, whatever was typed as a name or an address. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
