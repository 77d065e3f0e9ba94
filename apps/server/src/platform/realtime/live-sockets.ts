import type { WebSocket } from '@fastify/websocket';
import type { SessionWatch } from '../access/session-watch.ts';
import type { Caller } from '../context.ts';
import { WaitingSockets } from '../http/waiting-sockets.ts';
import { type Grants, userOf } from './grants.ts';
import { frame, type LiveEvent, messageOf, wordsOf } from './wire.ts';

interface Socket {
  id: string;
  /** Address of its client. */
  ip: string;
  socket: WebSocket;
  /** Channels on which it gets events, each with the end of the watch of the session that opened it. */
  channels: Map<string, () => void>;
  /**
   * Person who signed in on it, with the id of their own channel of the protocol and the end of the watch of their
   * session.
   */
  user: { id: string; forget(): void } | undefined;
  /** Session that first granted it something. */
  session: string | undefined;
  /** Ends its wait for a session. */
  shown: () => void;
  /** Whether it answered the last ping. */
  alive: boolean;
  /** Timer after which it must come back and read again. */
  leaving: NodeJS.Timeout | undefined;
}

const ACTIVITY_TIMEOUT_SECONDS = 60;
/**
 * Average time in ms between two browsers that read again what they missed, and the maximum time until the last one
 * does.
 */
const APART_MS = 5;
const LONGEST_SPREAD_MS = 30_000;
/**
 * Interval of pings in ms. A browser that vanished, such as a phone out of reach, is disconnected within twice this
 * time.
 */
const PING_MS = 30_000;
/** Maximum unsent bytes of a socket. A slower one is disconnected: it comes back and reads again. */
const MAX_UNSENT_BYTES = 1_000_000;
/** Maximum sockets of one session, for its tabs. */
const MOST_OF_SESSION = 100;

/** Decides whether a person may hear a channel. */
type MayHear = (caller: Caller, channel: string) => Promise<boolean>;

/** Sockets of browsers at this process, and the channels that they hear. */
export class LiveSockets {
  readonly #sockets = new Set<Socket>();
  readonly #byChannel = new Map<string, Set<Socket>>();
  readonly #waiting = new WaitingSockets();
  readonly #grants: Grants;
  readonly #watch: SessionWatch;
  readonly #mayHear: MayHear;
  readonly #pinging: NodeJS.Timeout;

  constructor(grants: Grants, watch: SessionWatch, mayHear: MayHear) {
    this.#grants = grants;
    this.#watch = watch;
    this.#mayHear = mayHear;
    this.#pinging = setInterval(() => this.#ping(), PING_MS).unref();
  }

  /** Throws if an address has too many sockets without a session. */
  requireRoom(ip: string): void {
    this.#waiting.require(ip);
  }

  /** Greets a new socket and follows it until it closes. */
  open(socket: WebSocket, ip: string): void {
    const s: Socket = {
      id: `${Math.floor(Math.random() * 1e9)}.${Math.floor(Math.random() * 1e9)}`,
      ip,
      socket,
      channels: new Map(),
      user: undefined,
      session: undefined,
      shown: this.#wait(ip, socket),
      alive: true,
      leaving: undefined,
    };
    this.#sockets.add(s);
    const greeting = { socket_id: s.id, activity_timeout: ACTIVITY_TIMEOUT_SECONDS };
    socket.send(frame('pusher:connection_established', greeting));
    socket.on('message', (raw: Buffer) => this.#take(s, raw.toString()));
    socket.on('pong', () => {
      s.alive = true;
    });
    socket.on('close', () => this.#forget(s));
    socket.on('error', () => this.#forget(s));
  }

  /** Sends an event to all sockets on its channel. */
  send({ channel, event, data }: LiveEvent): void {
    const members = this.#byChannel.get(channel);
    if (!members) return;
    const text = frame(event, data, channel);
    for (const { socket } of members) {
      if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate();
      else socket.send(text);
    }
  }

  /** Tells all browsers to come back and read again, spread over a time; no browser gets this twice. */
  reread(spreadMs = Math.min(this.#sockets.size * APART_MS, LONGEST_SPREAD_MS)): void {
    for (const s of this.#sockets)
      s.leaving ??= setTimeout(() => s.socket.close(4200, 'reconnect'), Math.random() * spreadMs);
  }

  stop(): void {
    clearInterval(this.#pinging);
    for (const s of this.#sockets) {
      clearTimeout(s.leaving);
      s.socket.close(1001);
    }
  }

  #wait(ip: string, socket: WebSocket): () => void {
    return this.#waiting.begin(ip, () => socket.close(4009, 'no session in time'));
  }

  /** Handles a message of a client. */
  #take(s: Socket, text: string): void {
    const message = messageOf(text);
    if (!message) {
      s.socket.close(4200, 'not a message');
      return;
    }
    const { channel = '', auth = '', user_data = '' } = wordsOf(message.data);
    if (message.event === 'pusher:ping') s.socket.send(frame('pusher:pong', {}));
    else if (message.event === 'pusher:subscribe') this.#subscribe(s, channel, auth);
    else if (message.event === 'pusher:signin') this.#signIn(s, auth, user_data);
    else if (message.event === 'pusher:unsubscribe') {
      this.#leave(s, channel);
      if (s.channels.size > 0 || s.user) return;
      s.shown();
      s.shown = this.#wait(s.ip, s.socket);
    }
  }

  #subscribe(s: Socket, channel: string, auth: string): void {
    const succeeded = frame('pusher_internal:subscription_succeeded', {}, channel);
    // The protocol's own channel of a person who signed in carries nothing beyond their private one.
    if (s.user !== undefined && channel === `#server-to-user-${s.user.id}`) {
      s.socket.send(succeeded);
      return;
    }
    const session = this.#grants.grantor(s.id, channel, auth);
    if (session === undefined) {
      const error = { type: 'AuthError', error: 'not allowed', status: 403 };
      s.socket.send(frame('pusher:subscription_error', error, channel));
      return;
    }
    if (!this.#show(s, session)) return;
    s.channels.get(channel)?.();
    s.channels.set(channel, this.#watch.watch(session, this.#lookAt(s, channel)));
    this.#byChannel.set(channel, (this.#byChannel.get(channel) ?? new Set()).add(s));
    s.socket.send(succeeded);
  }

  #signIn(s: Socket, auth: string, user_data: string): void {
    const session = this.#grants.grantor(s.id, userOf(user_data), auth);
    if (session === undefined) {
      s.socket.close(4009, 'not signed in');
      return;
    }
    if (!this.#show(s, session)) return;
    s.user?.forget();
    const forget = this.#watch.watch(session, (caller) => {
      if (!caller) s.socket.close(4009, 'session ended');
    });
    s.user = { id: (JSON.parse(user_data) as { id: string }).id, forget };
    s.socket.send(frame('pusher:signin_success', { user_data }));
  }

  // A session that ended gets nothing more; one that lost a right gets no more of the channels that it opened. In the
  // second case the socket is closed: it comes back and asks again for each channel. Tokens end earlier than their
  // session.
  readonly #lookAt = (s: Socket, channel: string) => async (caller: Caller | null) => {
    if (!caller) s.socket.close(4009, 'session ended');
    else if (!(await this.#mayHear(caller, channel))) s.socket.close(4200, 'not allowed any more');
  };

  /** Notes the session of a socket; closes the socket if the session has its maximum. */
  #show(s: Socket, session: string): boolean {
    s.shown();
    const ofSession = () => [...this.#sockets].filter((other) => other.session === session).length;
    if (s.session === undefined && ofSession() >= MOST_OF_SESSION) {
      s.socket.close(4100, 'too many connections');
      return false;
    }
    s.session ??= session;
    return true;
  }

  #leave(s: Socket, channel: string): void {
    s.channels.get(channel)?.();
    s.channels.delete(channel);
    const members = this.#byChannel.get(channel);
    members?.delete(s);
    if (members?.size === 0) this.#byChannel.delete(channel);
  }

  #forget(s: Socket): void {
    clearTimeout(s.leaving);
    s.shown();
    s.user?.forget();
    for (const channel of [...s.channels.keys()]) this.#leave(s, channel);
    this.#sockets.delete(s);
  }

  #ping(): void {
    for (const s of this.#sockets) {
      if (!s.alive) s.socket.terminate();
      s.alive = false;
      s.socket.ping();
    }
  }
}
