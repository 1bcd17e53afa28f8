import type { PresetName } from '../../core/endpoint-presets';
import type { BodyFieldProblem, HeaderProblem } from '../../core/reserved-request';

const presets: Readonly<Record<PresetName, string>> = {
  vllm: 'Start it with “vllm serve” and the name of the model. It needs no key unless you gave it one.',
  'llama.cpp': 'Start “llama-server” with -c for the window and -np for requests at once. Any model name will do.',
  ollama:
    'It needs no key. Start it with OLLAMA_CONTEXT_LENGTH=16384: its usual window of 4,096 tokens cuts long texts without a word.',
  'lm-studio': 'Switch CORS on in its server settings, and load the model with the window that you want.',
  openrouter: 'It needs a key, and your texts leave this computer for the company behind the model.',
};

const headerWhys: Readonly<Record<HeaderProblem | 'no_colon' | 'twice', (name: string) => string>> = {
  no_colon: () => 'there is no colon. Write it like “X-Title: Talaria”.',
  twice: (name) => `“${name}” is there already.`,
  name_invalid: (name) => `“${name}” is no name of a header. It has letters, digits and hyphens.`,
  value_invalid: (name) =>
    `the value of “${name}” is empty, or has signs that cannot be sent. It takes letters, digits and signs of English.`,
  key_belongs_elsewhere: (name) =>
    `“${name}” is made of the key. Write the key into its own field, where it is encrypted.`,
  set_by_talaria: (name) => `“${name}” is set by Talaria.`,
  set_by_browser: (name) => `“${name}” is set by the browser, which lets no page change it.`,
};

const fieldWhys: Readonly<Record<BodyFieldProblem, (name: string) => string>> = {
  set_by_talaria: (name) => `“${name}” is set by Talaria for each question. Leave it out.`,
  set_above: (name) => `“${name}” has a field of its own under Sampling. Set it there.`,
  not_finite: (name) => `“${name}” holds a number that is too large.`,
};

/** Words of the settings beyond address, model and key. */
export const endpointSettings = {
  presets: 'A usual server',
  presetHints: presets,
  heading: 'More settings',
  changed: (shown: string) => `More settings (${shown} set)`,
  auto: 'automatic',
  context: 'Window in tokens',
  contextFound: (found: string) => `Left empty, ${found} as the server says.`,
  contextHint: 'Left empty, it is asked of the server, or 4,096 until it tells.',
  contextOfServer: (context: string) => `${context}, as the server says`,
  contextSet: (context: string) => `${context}, as you set it`,
  concurrency: 'Requests at once',
  concurrencyHint: 'For all tasks of a tab together. Left empty, as many as the server bears.',
  requestsPerMinute: 'Requests a minute',
  tokensPerMinute: 'Tokens a minute',
  rateHint: 'Left empty, there is no limit but the server’s own.',
  sampling: 'Sampling',
  samplingHint:
    'Left empty, a task asks for what suits it. Answers that were given under other values are not used again.',
  temperature: 'Temperature',
  topP: 'Top P',
  seed: 'Seed',
  tools: 'Tool calls',
  toolsHint: 'How a model is told of tools, and says that it calls one.',
  toolWays: { auto: 'As the server can', native: 'In the fields of the server', hermes: 'In Hermes’ own text' },
  moreUrls: 'More addresses of the same server',
  moreUrlsHint:
    'One a line. Requests are spread over them. Only addresses that you trust: the key and your texts go there too.',
  urlsRepaired: (urls: string) => `Will be used as ${urls}.`,
  headers: 'Extra headers',
  headersHint:
    'One a line, like “X-Title: Talaria”. The server must allow them to this page. They are not encrypted: a secret belongs into the key.',
  body: 'Extra fields of each question',
  bodyHint: 'A JSON object, like {"top_k": 40}. It is sent with each question.',
  problems: {
    number: (least: string, most: string) => `A number from ${least} to ${most}, or nothing.`,
    whole: (least: string, most: string) => `A whole number from ${least} to ${most}, or nothing.`,
    url: (line: string, typed: string) =>
      `Line ${line}: “${typed}” cannot be used as an address. Write it like http://127.0.0.1:8000/v1, without a key, a question mark or a # in it.`,
    header: (line: string, why: string) => `Line ${line}: ${why}`,
    headerWhys,
    json: (line: string, column: string, found: string) =>
      found === ''
        ? `This is no JSON yet: it ends too early, in line ${line} at character ${column}.`
        : `This is no JSON: “${found}” in line ${line} at character ${column} cannot stand there.`,
    notObject: 'This is JSON, but no object. Put it into braces, like {"top_k": 40}.',
    fieldWhys,
  },
  mend: 'Mend what is marked under “More settings”.',
  keyStaysBehind: (origin: string) =>
    `The kept key was given for ${origin}. It is not sent to the new address: type it again if it belongs there too.`,
  duplicate: 'Duplicate',
  copyOf: (name: string) => `Copy of ${name}`,
  openTask: 'Open that task',
};
