/** `npm run model:scripted`: a scripted model server for trying things by hand. */
import { parseArgs } from 'node:util';
import { startModelServer } from '../model-server.mjs';
import { dialectNamed } from './dialect.mjs';

/** @import { DialectName } from '../model-server-types' */

const HELP = `A scripted model server, for trying things by hand. Stop it with Ctrl+C.

  npm run model:scripted -- --dialect llama.cpp --port 8080 --between 50

  --dialect NAME        speak as vllm, llama.cpp, ollama or lm-studio, with its rules for other origins; else as no server
  --port NUMBER         8000 unless said
  --host ADDRESS        127.0.0.1 unless said; ::1 for one that localhost alone finds
  --key TEXT            refuse whoever does not send it
  --model NAME          what it serves; may be given several times
  --context TOKENS      what one request may hold (with a dialect)
  --slots NUMBER        answers written at once (with a dialect)
  --allow-origin ORIGIN a page that may read the answers, in place of whom the dialect lets in; may be given several times
  --delay MS            wait before each answer
  --between MS          wait between two pieces of an answer
  --loading             answer as while the model is read
  --buffered            keep each answer back until it is whole, as a proxy does
  --help                this
`;

const started = await start();
process.stdout.write(started);

async function start() {
  const { values } = read();
  if (values.help) return HELP;
  const dialect = /** @type {DialectName | undefined} */ (values.dialect);
  if (dialect !== undefined) dialectNamed(dialect);
  const server = await startModelServer({
    dialect,
    port: Number(values.port),
    host: values.host,
    delayMs: Number(values.delay),
    betweenMs: Number(values.between),
    key: values.key,
    models: values.model,
    allowedOrigins: values['allow-origin'],
    loading: values.loading,
    buffered: values.buffered,
    ...(values.context === undefined ? {} : { contextTokens: Number(values.context) }),
    ...(values.slots === undefined ? {} : { slots: Number(values.slots) }),
  });
  return `Scripted model server${dialect ? `, speaking as ${dialect},` : ''} on ${server.url}\n`;
}

function read() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '8000' },
        host: { type: 'string', default: '127.0.0.1' },
        delay: { type: 'string', default: '0' },
        between: { type: 'string', default: '0' },
        key: { type: 'string' },
        model: { type: 'string', multiple: true },
        dialect: { type: 'string' },
        context: { type: 'string' },
        slots: { type: 'string' },
        'allow-origin': { type: 'string', multiple: true },
        loading: { type: 'boolean' },
        buffered: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    process.exit(2);
  }
}
