import { readFileSync } from 'node:fs';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { request as ask, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Nobody's secret: a certificate for this machine that no browser trusts of itself. */
const file = (name: string) => readFileSync(new URL(`./tls/${name}`, import.meta.url));

export interface TlsProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** HTTP/2 has none of these. */
const OF_THE_CONNECTION = /^(connection|keep-alive|transfer-encoding)$/;
const OF_HTTP2 = /^:/;

/** What stands before a model server to speak TLS, by HTTP/2 or by HTTP/1.1 alone. Passes on each byte as it comes. */
export async function startTlsProxy(target: string, protocol: 'h2' | 'http/1.1'): Promise<TlsProxy> {
  const to = new URL(target);
  const pass = (incoming: IncomingMessage | Http2ServerRequest, outgoing: ServerResponse | Http2ServerResponse) => {
    const headers = without(incoming.headers, OF_HTTP2);
    const { method = 'GET', url: path } = incoming;
    const onward = ask({ host: to.hostname, port: to.port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, without(answer.headers, OF_THE_CONNECTION));
      answer.on('data', (piece: Buffer) => (outgoing as ServerResponse).write(piece));
      answer.on('end', () => outgoing.end());
    });
    onward.on('error', () => outgoing.end());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  };
  const secrets = { key: file('localhost.key'), cert: file('localhost.crt') };
  const server = protocol === 'h2' ? createSecureServer(secrets, pass) : createServer(secrets, pass);
  const open = new Set<{ destroy(): void }>();
  server.on('connection', (socket: { destroy(): void }) => open.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${String(port)}${to.pathname}`,
    close: async () => {
      open.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function without(headers: IncomingHttpHeaders, names: RegExp): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name)));
}
