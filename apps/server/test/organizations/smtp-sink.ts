import { createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { CARRIER } from '../links/certificates.ts';
import { listenOn } from '../own-port.ts';
import type { Scope } from '../template-database.ts';

/** An email as the sink received it. */
export interface TakenMail {
  from: string;
  to: string;
  /** The whole message, without its soft line breaks. */
  source: string;
  encrypted: boolean;
  user: string | null;
}

/** A mail server that keeps the emails it gets. */
export interface SmtpSink {
  port: number;
  mails: TakenMail[];
  /** Every line that clients sent, passwords included. */
  lines: string[];
}

interface SinkOptions {
  /** The only valid login; without it the server requires none. */
  login?: { user: string; password: string };
  /** True to offer STARTTLS, with a certificate that no known authority has signed. */
  starttls?: boolean;
  /** Domain whose senders and recipients are refused. */
  refuses?: string;
}

const address = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? '';

/**
 * Starts a mail server with as much of RFC 5321 as a client needs, on a free port of 127.0.0.1, until the test ends.
 */
export async function startSmtpSink(t: Scope, options: SinkOptions = {}): Promise<SmtpSink> {
  const sink: SmtpSink = { port: 0, mails: [], lines: [] };
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => undefined);
    socket.write('220 sink.test ESMTP\r\n');
    converse(socket, sink, options, false);
  });
  sink.port = await listenOn(server);
  t.after(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return sink;
}

function converse(socket: Socket, sink: SmtpSink, options: SinkOptions, encrypted: boolean): void {
  let text = '';
  let data: string[] | null = null;
  let from = '';
  let to = '';
  let user: string | null = null;
  const say = (line: string) => socket.write(`${line}\r\n`);
  const refused = (line: string) => options.refuses !== undefined && address(line).endsWith(`@${options.refuses}`);

  const enter = (line: string) => {
    const [, name = '', password = ''] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
      .toString()
      .split('\0');
    const good = name === options.login?.user && password === options.login.password;
    if (good) user = name;
    say(good ? '235 2.7.0 Accepted' : '535 5.7.8 Authentication credentials invalid');
  };
  const take = (line: string) => {
    sink.lines.push(line);
    if (data) {
      if (line !== '.') return void data.push(line);
      sink.mails.push({ from, to, source: data.join('\n').replace(/=\n/g, ''), encrypted, user });
      data = null;
      return say('250 2.0.0 Taken');
    }
    const command = line.toUpperCase();
    if (command.startsWith('EHLO')) {
      const offers = [options.starttls && !encrypted && 'STARTTLS', options.login && 'AUTH PLAIN'].filter(Boolean);
      for (const offer of ['sink.test', ...offers]) say(`250-${offer}`);
      return say('250 SIZE 1000000');
    }
    if (command === 'STARTTLS') {
      if (!options.starttls) return say('502 5.5.1 Not here');
      say('220 2.0.0 Go ahead');
      socket.removeAllListeners('data');
      const secure = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(CARRIER) });
      secure.on('error', () => undefined);
      return converse(secure, sink, options, true);
    }
    if (command.startsWith('AUTH PLAIN')) return enter(line);
    if (options.login && !user && command.startsWith('MAIL')) return say('530 5.7.0 Authentication required');
    if (command.startsWith('MAIL FROM')) {
      from = address(line);
      return say(refused(line) ? '553 5.7.1 Not from here' : '250 2.1.0 Ok');
    }
    if (command.startsWith('RCPT TO')) {
      to = address(line);
      return say(refused(line) ? '550 5.1.1 No such user' : '250 2.1.5 Ok');
    }
    if (command === 'DATA') {
      data = [];
      return say('354 End with a dot');
    }
    if (command === 'QUIT') return void socket.end('221 2.0.0 Bye\r\n');
    say('250 2.0.0 Ok');
  };
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      take(line);
    }
  });
}
