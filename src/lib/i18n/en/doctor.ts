import type { FindingName, ProbeName, ProbeReport } from '../../core/doctor';
import type { FailureDetails } from '../../core/failure';
import { fasterProxyCommand, http2Proxies, type NamedCommand } from '../doctor-commands';
import { contextCommand, serverKind } from '../failure-commands';
import { detail } from '../failure-text';
import { tokens } from './plural';

export interface FindingText {
  says(details: FailureDetails, amount: (value: number) => string): string;
  /** What makes it better, where something does. */
  mend?(details: FailureDetails): string;
  /** A line to copy, where one mends it. */
  command?(details: FailureDetails): string | null;
  /** The same for several programs. */
  commands?(details: FailureDetails): readonly NamedCommand[];
}

type Findings = Readonly<Record<FindingName, FindingText>>;
const says = (text: string): FindingText => ({ says: () => text });
const count = (details: FailureDetails, name: string) => Number(details[name] ?? 0);

const findings: Findings = {
  url_fine: says('The address is complete.'),
  url_repaired: { says: (d) => `Used as ${detail(d, 'url') ?? 'repaired'}.` },
  secure_fine: says('The browser lets this page ask there.'),
  permission_unneeded: says('None is needed.'),
  permission_given: says('You have allowed it.'),
  permission_asked: says('Your browser asks now whether this site may reach devices on your network. Choose “Allow”.'),
  reached: says('Something answers at that address.'),
  readable: says('This page may read its answers.'),
  loaded: says('The model is loaded.'),
  loading_waited: says('The model is still being loaded. This goes on by itself; it can take some minutes.'),
  key_taken: says('The key is accepted.'),
  key_none: says('No key is asked for.'),
  model_listed: says('The server has the model.'),
  model_only: {
    says: ({ model = '' }) => `llama-server has one model, ${String(model)}, and answers with it under any name.`,
  },
  model_unlisted: says('The server lists no models; the answer decides.'),
  answer_streams: says('Words come as they are written.'),
  answer_buffered: {
    says: () => 'It answers, but words come all at once at the end: a proxy holds them back.',
    mend: () => 'Let the proxy pass on each word as it comes. In nginx:',
    command: fasterProxyCommand,
  },
  answer_whole: says('It answers, but only in whole answers, not word by word.'),
  context_fine: { says: (d, amount) => `One request may hold ${amount(count(d, 'tokens'))} tokens.` },
  context_small: {
    says: (d, amount) =>
      `One request may hold only ${amount(count(d, 'tokens'))} tokens. It works; most files are read in several parts.`,
    mend: () => 'Start the server with a larger context:',
    command: (d) => (d.server === 'unknown' && serverKind(d) === null ? null : contextCommand(d)),
  },
  context_unknown: {
    says: () => 'The server does not say how much one request may hold.',
    mend: () => 'Set the context size above if you know it. Until then 4,096 tokens are assumed.',
  },
  schema_held: says('Answers are held to a schema by the server.'),
  schema_object: says('Answers are held to JSON; the schema is checked here.'),
  schema_asked: says(
    'The server holds answers to no schema. They are checked here, and asked for again if they do not fit.',
  ),
  tools_native: says('It calls tools in its own fields.'),
  tools_text: says('Tools are offered in the text, as Hermes models know them.'),
  continue_exact: says('Yes: after an interruption, words that were already written are not generated again.'),
  continue_none: says('No: after an interruption, an answer is begun anew.'),
  reattach_found: says('Yes: an answer goes on while this page is away, and is picked up again.'),
  reattach_none: says('No: an answer ends when this page goes away. Only llama.cpp can keep one.'),
  parallel_count: {
    says: (d) => (count(d, 'count') === 1 ? 'One at a time.' : `${count(d, 'count')} at once.`),
  },
  parallel_least: { says: (d) => `At least ${count(d, 'count')} at once.` },
  parallel_connections: {
    says: (d) =>
      `At least ${count(d, 'count')} at once, but a browser opens only six connections to one address like this.`,
    mend: () =>
      'For more at once, put a proxy that speaks HTTP/2 before the server and use its address, or give more addresses of the server under “More settings”. The proxy, with a name of yours:',
    commands: http2Proxies,
  },
  parallel_busy: says('Not tried: a task is using this server.'),
  unclear: says('It could not be told from the answers.'),
  no_time: says('Not looked at: the server took too long before.'),
};

const probes: Readonly<Record<ProbeName, string>> = {
  url: 'Address',
  secure: 'Secure page',
  permission: 'Local network permission',
  reachable: 'Reached',
  cors: 'Readable here (CORS)',
  loading: 'Loaded',
  key: 'Key',
  model: 'Model',
  answer: 'Answers, word by word',
  context: 'Context size',
  schema: 'JSON schema',
  tools: 'Tool calls',
  continue: 'Continues an answer',
  reattach: 'Picks a running answer up',
  parallel: 'Requests at once',
};

const states: Readonly<Record<ProbeReport['state'] | 'waiting', string>> = {
  waiting: 'not yet.',
  running: 'looking.',
  passed: 'yes.',
  lacking: 'could be better.',
  failed: 'no.',
  skipped: 'not looked at.',
};

export const doctor = {
  probes,
  states,
  findings,
  askBefore:
    'Before the test: your browser will ask whether this site may reach devices on your network or apps on this device. That is the way to your model server. Choose “Allow”.',
  needed: 'What it takes',
  found: 'What it can do',
  recognised: (server: string, slots: number | null, context: number | null, shown: string) => {
    if (context === null) return server;
    if (slots === null) return `${server}, ${tokens(context, shown)} of context`;
    return `${server}, ${slots === 1 ? 'one slot' : `${slots} slots`} of ${tokens(context, shown)}`;
  },
  unknownServer: 'A server of a kind that is not known here',
  otherUrl: (url: string) => `Something answers at ${url}.`,
  useUrl: (url: string) => `Use ${url}`,
  otherServers: 'Another server? How to let this page in',
  corsWays: {
    vllm: 'vLLM: restart it with this flag.',
    'llama.cpp': 'llama.cpp: restart it with this flag.',
    ollama: 'Ollama: set this variable and start it again.',
    'lm-studio': 'LM Studio: Developer → Server settings → “Enable CORS”, or:',
    nginx: 'A proxy before it, nginx:',
  },
};
