import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebSocket } from '@fastify/websocket';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import type { Caller } from './context.ts';
import type { Database } from './db.ts';
import { BusinessError } from './errors.ts';
import type { App } from './http.ts';
import { callerOf } from './http.ts';
import { listen } from './listen.ts';
import type { Logger } from './log.ts';

/**
 * Live events by the Pusher protocol, version 7, at `/app/{key}`: laravel-echo and pusher-js connect unchanged.
 * Events travel between processes by NOTIFY within the transaction that causes them, so they are seen once it stands.
 */
const CHANNEL = 'heliograph_events';
const BROADCAST_NOTIFICATION = 'Illuminate\\Notifications\\Events\\BroadcastNotificationCreated';
/** NOTIFY carries at most 8,000 bytes; what is larger goes as a bare hint to re-read. */
const MAX_PAYLOAD = 7_500;
const ACTIVITY_TIMEOUT_SECONDS = 60;
export const BROADCAST_KEY = 'heliograph';

/** Sends an event to a channel once the transaction has committed. */
export async function emit(db: Kysely<Database>, channel: string, event: string, data: object): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, ${payload(channel, event, data)})`.execute(db);
}

/** The same for code that speaks to PostgreSQL directly. */
export async function emitRaw(
  client: Pick<pg.ClientBase, 'query'>,
  channel: string,
  event: string,
  data: object,
): Promise<void> {
  await client.query('SELECT pg_notify($1, $2)', [CHANNEL, payload(channel, event, data)]);
}

/** A notification for one person, in the shape of the standard broadcast notification. */
export function notify(db: Kysely<Database>, userId: number, type: string, data: object): Promise<void> {
  return emit(db, `private-App.Models.User.${userId}`, BROADCAST_NOTIFICATION, { type, ...data });
}

function payload(channel: string, event: string, data: object): string {
  const whole = JSON.stringify({ channel, event, data });
  return Buffer.byteLength(whole) <= MAX_PAYLOAD ? whole : JSON.stringify({ channel, event, data: { reread: true } });
}

/** Decides whether a person may listen to an object's channel; keyed by the channel's prefix. */
export type ChannelRule = (caller: Caller, id: string) => Promise<boolean> | boolean;

interface Socket {
  id: string;
  socket: WebSocket;
  channels: Set<string>;
  bearer: Map<string, string>;
}

const AUTH_CHECK_MS = 5_000;

/** Mounts the live-event endpoint and its two authorisation calls. */
export async function mountRealtime(
  app: App,
  settings: pg.ClientConfig,
  rules: Readonly<Record<string, ChannelRule>>,
  key: Buffer,
  log: Logger,
): Promise<{ stop(): Promise<void> }> {
  const secret = createHmac('sha256', key).update('realtime').digest();
  const sockets = new Set<Socket>();
  const byChannel = new Map<string, Set<Socket>>();
  /** Bearers that opened each grant, so that a session's end closes its channels. */
  const grants = new Map<string, string>();
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex');

  const leave = (s: Socket, channel: string) => {
    s.channels.delete(channel);
    const members = byChannel.get(channel);
    members?.delete(s);
    if (members?.size === 0) byChannel.delete(channel);
  };
  const say = (s: Socket, event: string, data: unknown, channel?: string) =>
    s.socket.send(JSON.stringify({ event, ...(channel && { channel }), data: JSON.stringify(data) }));

  const subscribe = (s: Socket, data: { channel?: string; auth?: string }) => {
    const channel = String(data.channel ?? '');
    const expected = Buffer.from(`${BROADCAST_KEY}:${sign(`${s.id}:${channel}`)}`);
    const given = Buffer.from(String(data.auth ?? ''));
    if (!channel.startsWith('private-') || given.length !== expected.length || !timingSafeEqual(given, expected)) {
      say(s, 'pusher:subscription_error', { type: 'AuthError', error: 'not allowed', status: 403 }, channel);
      return;
    }
    s.channels.add(channel);
    const bearer = grants.get(`${s.id}:${channel}`);
    if (bearer) s.bearer.set(channel, bearer);
    grants.delete(`${s.id}:${channel}`);
    byChannel.set(channel, (byChannel.get(channel) ?? new Set()).add(s));
    say(s, 'pusher_internal:subscription_succeeded', {}, channel);
  };

  app.server.get('/app/:key', { websocket: true }, (socket: WebSocket, request) => {
    if ((request.params as { key: string }).key !== BROADCAST_KEY) {
      socket.close(4001, 'no such application');
      return;
    }
    const s: Socket = {
      id: `${Math.floor(Math.random() * 1e9)}.${Math.floor(Math.random() * 1e9)}`,
      socket,
      channels: new Set(),
      bearer: new Map(),
    };
    sockets.add(s);
    say(s, 'pusher:connection_established', { socket_id: s.id, activity_timeout: ACTIVITY_TIMEOUT_SECONDS });
    socket.on('message', (raw: Buffer) => {
      let message: { event?: string; data?: unknown };
      try {
        message = JSON.parse(raw.toString()) as typeof message;
      } catch {
        socket.close(4200, 'not JSON');
        return;
      }
      const data = (typeof message.data === 'object' && message.data !== null ? message.data : {}) as {
        channel?: string;
        auth?: string;
      };
      if (message.event === 'pusher:ping') say(s, 'pusher:pong', {});
      else if (message.event === 'pusher:subscribe') subscribe(s, data);
      else if (message.event === 'pusher:unsubscribe') leave(s, String(data.channel ?? ''));
    });
    const gone = () => {
      for (const channel of [...s.channels]) leave(s, channel);
      for (const grant of grants.keys()) if (grant.startsWith(`${s.id}:`)) grants.delete(grant);
      sockets.delete(s);
    };
    socket.on('close', gone);
    socket.on('error', gone);
  });

  app.server.post('/broadcasting/auth', async (request) => {
    const caller = await callerOf(app, request, { session: 'verified', permission: null });
    const { socket_id, channel_name } = (request.body ?? {}) as { socket_id?: string; channel_name?: string };
    const match = /^private-([A-Za-z.]+)\.(\d{1,16})$/.exec(channel_name ?? '');
    const rule = match && rules[match[1]!];
    if (!rule || !/^\d+\.\d+$/.test(socket_id ?? '') || !(await rule(caller, match[2]!)))
      throw new BusinessError('forbidden');
    if ([...sockets].some((s) => s.id === socket_id))
      grants.set(`${socket_id}:${channel_name}`, request.headers.authorization!.slice(7));
    return { auth: `${BROADCAST_KEY}:${sign(`${socket_id}:${channel_name}`)}` };
  });
  app.server.post('/broadcasting/user-auth', async (request) => {
    const caller = await callerOf(app, request, { session: 'verified', permission: null });
    const { socket_id } = (request.body ?? {}) as { socket_id?: string };
    if (!/^\d+\.\d+$/.test(socket_id ?? '')) throw new BusinessError('malformed_request');
    const user_data = JSON.stringify({ id: String(caller.user_id), user_info: { name: caller.name } });
    return { auth: `${BROADCAST_KEY}:${sign(`${socket_id}::user::${user_data}`)}`, user_data };
  });

  const ears = await listen(
    settings,
    CHANNEL,
    (text) => {
      const { channel, event, data } = JSON.parse(text) as { channel: string; event: string; data: object };
      const members = byChannel.get(channel);
      if (!members) return;
      const frame = JSON.stringify({ event, channel, data: JSON.stringify(data) });
      for (const s of members) s.socket.send(frame);
    },
    log,
    // Whatever was said while the connection was lost: everyone reads again.
    () => {
      for (const s of sockets) s.socket.close(4200, 'reconnect');
    },
  );

  // A session that ended, or lost its rights, hears nothing more.
  const checking = setInterval(async () => {
    const bearers = new Set([...sockets].flatMap((s) => [...s.bearer.values()]));
    for (const bearer of bearers) {
      // A refusal says that the session is over; a database that does not answer says nothing.
      const caller = await app
        .authenticate(bearer)
        .catch((error) => (error instanceof BusinessError ? null : undefined));
      if (caller !== null) continue;
      for (const s of sockets) if ([...s.bearer.values()].includes(bearer)) s.socket.close(4009, 'session ended');
    }
  }, AUTH_CHECK_MS);
  checking.unref();

  return {
    async stop() {
      clearInterval(checking);
      await ears.stop();
      for (const s of sockets) s.socket.close(1001);
    },
  };
}
