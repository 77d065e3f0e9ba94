import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Caller } from './context.ts';
import type { Database } from './db.ts';
import { BusinessError } from './errors.ts';
import type { FanOut } from './fan-out/fan-out.ts';
import { tell } from './fan-out/tell.ts';
import { MAX_PAYLOAD_BYTES, type Teller } from './fan-out/transport.ts';
import type { App } from './http.ts';
import { callerOf } from './http.ts';
import type { SessionWatch } from './session-watch.ts';
import { WaitingSockets } from './waiting-sockets.ts';

/**
 * Live events by the Pusher protocol, version 7, at `/app/{key}`: laravel-echo and pusher-js connect unchanged.
 * Events travel between processes by the fan-out, once the transaction that causes them stands.
 */
const SUBJECT = 'events';
const BROADCAST_NOTIFICATION = 'Illuminate\\Notifications\\Events\\BroadcastNotificationCreated';
const ACTIVITY_TIMEOUT_SECONDS = 60;
export const BROADCAST_KEY = 'heliograph';

/** Sends an event to a channel once the transaction has committed. */
export const emit = (db: Teller, channel: string, event: string, data: object): Promise<void> =>
  tell(db, SUBJECT, payload(channel, event, data));

/** A notification for one person, in the shape of the standard broadcast notification. */
export function notify(db: Kysely<Database>, userId: number, type: string, data: object): Promise<void> {
  return emit(db, `private-App.Models.User.${userId}`, BROADCAST_NOTIFICATION, { type, ...data });
}

/** The texts among the members of what a client sent: whatever else stands there is nothing that we asked for. */
function wordsOf(sent: unknown): Record<string, string | undefined> {
  const members = typeof sent === 'object' && sent !== null ? Object.entries(sent) : [];
  return Object.fromEntries(members.filter((member): member is [string, string] => typeof member[1] === 'string'));
}

/** What a client, or another process, said; undefined where it is no JSON object. */
function messageOf(text: string): { event?: unknown; channel?: unknown; data?: unknown } | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

/** An event as another process told it; undefined where it is none, for anybody on the network might have told it. */
function eventOf(text: string): { channel: string; event: string; data: unknown } | undefined {
  const { channel, event, data = {} } = messageOf(text) ?? {};
  return typeof channel === 'string' && typeof event === 'string' ? { channel, event, data } : undefined;
}

/** What is too large to be carried goes as a bare hint to re-read. */
function payload(channel: string, event: string, data: object): string {
  const whole = JSON.stringify({ channel, event, data });
  const carried = Buffer.byteLength(whole) <= MAX_PAYLOAD_BYTES;
  return carried ? whole : JSON.stringify({ channel, event, data: { reread: true } });
}

/** Decides whether a person may listen to an object's channel; keyed by the channel's prefix. */
export type ChannelRule = (caller: Caller, id: string) => Promise<boolean> | boolean;

interface Socket {
  id: string;
  socket: WebSocket;
  /** The channels it hears, each with what ends the watch of the session that opened it. */
  channels: Map<string, () => void>;
  /** Who signed in on it, by whose id their own channel of the protocol is called, with what ends the watch of their session. */
  user: { id: string; forget(): void } | undefined;
  /** Session that granted it something first. */
  session: string | undefined;
  /** Ends its wait for a session. */
  shown: () => void;
  /** It answered since it was last asked whether it is still there. */
  alive: boolean;
  /** When it is told to come back and read again. */
  leaving: NodeJS.Timeout | undefined;
}

/** What was missed is read again by one browser so long after another on average, and by the last one so late. */
const APART_MS = 5;
const LONGEST_SPREAD_MS = 30_000;
/** While nothing is heard from the other processes, browsers read again so often. */
const AWAY_MS = 60_000;
/** A browser that left without a word, such as a phone out of reach, is let go within twice this time. */
const PING_MS = 30_000;
/** Who takes this little of what is said to them is let go: they come back and read again. */
const MAX_UNSENT_BYTES = 1_000_000;
/** Sockets of one session: its tabs. */
const MOST_OF_SESSION = 100;
/** What allows a channel: the signature, and the session it was given to, whose end closes the channel. */
const GRANT = new RegExp(`^${BROADCAST_KEY}:[0-9a-f]{64}\\.([0-9a-f-]{36})$`);
/** A grant of who is behind a socket, told from one of a channel. */
const userOf = (userData: string): string => `:user::${userData}`;
const CHANNEL_NAME = /^private-([A-Za-z.]+)\.(\d{1,16})$/;

/** Mounts the live-event endpoint and its two authorisation calls. */
export async function mountRealtime(
  app: App & { sessionWatch: SessionWatch },
  fanOut: FanOut,
  rules: Readonly<Record<string, ChannelRule>>,
  key: Buffer,
): Promise<{ stop(): Promise<void> }> {
  const secret = createHmac('sha256', key).update('realtime').digest();
  const sockets = new Set<Socket>();
  const byChannel = new Map<string, Set<Socket>>();
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  /** What allows a socket to hear a channel, or to say who is behind it, for as long as a session lasts. */
  const grantOf = (socketId: string, what: string, session: string) =>
    `${BROADCAST_KEY}:${sign(`${socketId}:${what}:${session}`)}.${session}`;
  /** The session that granted something to a socket; undefined where none did. */
  const grantor = (socketId: string, what: string, auth: string): string | undefined => {
    const [, session] = GRANT.exec(auth) ?? [];
    const expected = Buffer.from(grantOf(socketId, what, session ?? ''));
    const given = Buffer.from(auth);
    return session && given.length === expected.length && timingSafeEqual(given, expected) ? session : undefined;
  };
  const mayHear = async (caller: Caller, channel: string): Promise<boolean> => {
    const [, name, id] = CHANNEL_NAME.exec(channel) ?? [];
    const rule = name === undefined || !Object.hasOwn(rules, name) ? undefined : rules[name];
    return rule !== undefined && (await rule(caller, id!));
  };

  const leave = (s: Socket, channel: string) => {
    s.channels.get(channel)?.();
    s.channels.delete(channel);
    const members = byChannel.get(channel);
    members?.delete(s);
    if (members?.size === 0) byChannel.delete(channel);
  };
  const say = (s: Socket, event: string, data: unknown, channel?: string) =>
    s.socket.send(JSON.stringify({ event, ...(channel && { channel }), data: JSON.stringify(data) }));

  // A session that ended hears nothing more, and one that lost a right hears no more of what it opened. The socket of the
  // latter is closed to come back at once and ask again for each channel. Tokens end earlier than their session.
  const lookAt = (s: Socket, channel: string) => async (caller: Caller | null) => {
    if (!caller) s.socket.close(4009, 'session ended');
    else if (!(await mayHear(caller, channel))) s.socket.close(4200, 'not allowed any more');
  };
  /** Notes that a socket is a session's; closes it where the session has as many as it may. */
  const show = (s: Socket, session: string): boolean => {
    s.shown();
    const ofSession = () => [...sockets].filter((other) => other.session === session).length;
    if (s.session === undefined && ofSession() >= MOST_OF_SESSION) {
      s.socket.close(4100, 'too many connections');
      return false;
    }
    s.session ??= session;
    return true;
  };
  const signIn = (s: Socket, auth: string, user_data: string) => {
    const session = grantor(s.id, userOf(user_data), auth);
    if (session === undefined) {
      s.socket.close(4009, 'not signed in');
      return;
    }
    if (!show(s, session)) return;
    s.user?.forget();
    const forget = app.sessionWatch.watch(session, (caller) => {
      if (!caller) s.socket.close(4009, 'session ended');
    });
    s.user = { id: (JSON.parse(user_data) as { id: string }).id, forget };
    say(s, 'pusher:signin_success', { user_data });
  };
  const subscribe = (s: Socket, channel: string, auth: string) => {
    // Who is signed in has a channel of the protocol's own; nothing is said there that is not said in their private one.
    if (s.user !== undefined && channel === `#server-to-user-${s.user.id}`)
      return say(s, 'pusher_internal:subscription_succeeded', {}, channel);
    const session = grantor(s.id, channel, auth);
    if (session === undefined) {
      say(s, 'pusher:subscription_error', { type: 'AuthError', error: 'not allowed', status: 403 }, channel);
      return;
    }
    if (!show(s, session)) return;
    s.channels.get(channel)?.();
    s.channels.set(channel, app.sessionWatch.watch(session, lookAt(s, channel)));
    byChannel.set(channel, (byChannel.get(channel) ?? new Set()).add(s));
    say(s, 'pusher_internal:subscription_succeeded', {}, channel);
  };

  const waiting = new WaitingSockets();
  const wait = (ip: string, socket: WebSocket) => waiting.begin(ip, () => socket.close(4009, 'no session in time'));
  const onRequest = async (request: FastifyRequest) => waiting.require(request.ip);
  app.server.get('/app/:key', { websocket: true, config: { live: true }, onRequest }, (socket: WebSocket, request) => {
    if ((request.params as { key: string }).key !== BROADCAST_KEY) {
      socket.close(4001, 'no such application');
      return;
    }
    const s: Socket = {
      id: `${Math.floor(Math.random() * 1e9)}.${Math.floor(Math.random() * 1e9)}`,
      socket,
      channels: new Map(),
      user: undefined,
      session: undefined,
      shown: wait(request.ip, socket),
      alive: true,
      leaving: undefined,
    };
    sockets.add(s);
    say(s, 'pusher:connection_established', { socket_id: s.id, activity_timeout: ACTIVITY_TIMEOUT_SECONDS });
    socket.on('message', (raw: Buffer) => {
      const message = messageOf(raw.toString());
      if (!message) {
        socket.close(4200, 'not a message');
        return;
      }
      const { channel = '', auth = '', user_data = '' } = wordsOf(message.data);
      if (message.event === 'pusher:ping') say(s, 'pusher:pong', {});
      else if (message.event === 'pusher:subscribe') subscribe(s, channel, auth);
      else if (message.event === 'pusher:signin') signIn(s, auth, user_data);
      else if (message.event === 'pusher:unsubscribe') {
        leave(s, channel);
        if (s.channels.size > 0 || s.user) return;
        s.shown();
        s.shown = wait(request.ip, socket);
      }
    });
    socket.on('pong', () => {
      s.alive = true;
    });
    const gone = () => {
      clearTimeout(s.leaving);
      s.shown();
      s.user?.forget();
      for (const channel of [...s.channels.keys()]) leave(s, channel);
      sockets.delete(s);
    };
    socket.on('close', gone);
    socket.on('error', gone);
  });

  app.server.post('/broadcasting/auth', async (request) => {
    const caller = await callerOf(app, request, { session: 'verified', permission: null });
    const { socket_id = '', channel_name = '' } = wordsOf(request.body);
    if (!/^\d+\.\d+$/.test(socket_id) || !(await mayHear(caller, channel_name))) throw new BusinessError('forbidden');
    return { auth: grantOf(socket_id, channel_name, caller.session_id) };
  });
  app.server.post('/broadcasting/user-auth', async (request) => {
    const caller = await callerOf(app, request, { session: 'verified', permission: null });
    const { socket_id = '' } = wordsOf(request.body);
    if (!/^\d+\.\d+$/.test(socket_id)) throw new BusinessError('malformed_request');
    const user_data = JSON.stringify({ id: String(caller.user_id), user_info: { name: caller.name } });
    return { auth: grantOf(socket_id, userOf(user_data), caller.session_id), user_data };
  });

  /** Everybody comes back and reads again: not all at once, and who has been told already only once. */
  const reread = (spreadMs: number) => {
    for (const s of sockets)
      s.leaving ??= setTimeout(() => s.socket.close(4200, 'reconnect'), Math.random() * spreadMs);
  };
  const hearing = await fanOut.subscribe(
    SUBJECT,
    (text) => {
      const said = eventOf(text);
      const members = said && byChannel.get(said.channel);
      if (!members) return;
      const { event, channel, data } = said;
      const frame = JSON.stringify({ event, channel, data: JSON.stringify(data) });
      for (const s of members) {
        if (s.socket.bufferedAmount > MAX_UNSENT_BYTES) s.socket.terminate();
        else s.socket.send(frame);
      }
    },
    () => reread(Math.min(sockets.size * APART_MS, LONGEST_SPREAD_MS)),
  );
  // Whoever looks at a screen meanwhile would look at something old for as long as nothing is heard.
  const lookingAgain = setInterval(() => {
    if (!fanOut.state().connected) reread(AWAY_MS);
  }, AWAY_MS);
  lookingAgain.unref();

  const pinging = setInterval(() => {
    for (const s of sockets) {
      if (!s.alive) s.socket.terminate();
      s.alive = false;
      s.socket.ping();
    }
  }, PING_MS);
  pinging.unref();

  return {
    async stop() {
      clearInterval(pinging);
      clearInterval(lookingAgain);
      await hearing.stop();
      for (const s of sockets) {
        clearTimeout(s.leaving);
        s.socket.close(1001);
      }
    },
  };
}
