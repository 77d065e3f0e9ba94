import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { SessionWatch } from '../access/session-watch.ts';
import type { Caller } from '../context.ts';
import type { Database } from '../database/db.ts';
import { BusinessError } from '../errors.ts';
import type { FanOut } from '../fan-out/fan-out.ts';
import { tell } from '../fan-out/tell.ts';
import type { Teller } from '../fan-out/transport.ts';
import type { App } from '../http/http.ts';
import { callerOf } from '../http/http.ts';
import { BROADCAST_KEY, Grants, userOf } from './grants.ts';
import { LiveSockets } from './live-sockets.ts';
import { eventOf, payload, wordsOf } from './wire.ts';

// Live events by the Pusher protocol, version 7, at `/app/{key}`: laravel-echo and pusher-js connect unchanged. Events
// travel between processes by the fan-out, after the transaction that causes them has committed.

const SUBJECT = 'events';
const BROADCAST_NOTIFICATION = 'Illuminate\\Notifications\\Events\\BroadcastNotificationCreated';

/** Sends an event to a channel once the transaction has committed. */
export const emit = (db: Teller, channel: string, event: string, data: object): Promise<void> =>
  tell(db, SUBJECT, payload(channel, event, data));

/** Sends a notification to one person, in the shape of the standard broadcast notification. */
export function notify(db: Kysely<Database>, userId: number, type: string, data: object): Promise<void> {
  return emit(db, `private-App.Models.User.${userId}`, BROADCAST_NOTIFICATION, { type, ...data });
}

/** Decides whether a person may listen to an object's channel; keyed by the channel's prefix. */
export type ChannelRule = (caller: Caller, id: string) => Promise<boolean> | boolean;

/** Interval in ms at which browsers read again while no messages of the other processes arrive. */
const AWAY_MS = 60_000;
const CHANNEL_NAME = /^private-([A-Za-z.]+)\.(\d{1,16})$/;
/** Conditions of both authorization calls: they change nothing. */
const LISTENING = { session: 'verified', permission: null, proof: null, support: 'reads' } as const;
const SOCKET_ID = /^\d+\.\d+$/;

/** Mounts the live-event endpoint and its two authorization calls. */
export async function mountRealtime(
  app: App & { sessionWatch: SessionWatch },
  fanOut: FanOut,
  rules: Readonly<Record<string, ChannelRule>>,
  key: Buffer,
): Promise<{ stop(): Promise<void> }> {
  const grants = new Grants(key);
  const mayHear = async (caller: Caller, channel: string): Promise<boolean> => {
    const [, name, id] = CHANNEL_NAME.exec(channel) ?? [];
    const rule = name === undefined || !Object.hasOwn(rules, name) ? undefined : rules[name];
    return rule !== undefined && (await rule(caller, id!));
  };
  const sockets = new LiveSockets(grants, app.sessionWatch, mayHear);

  const onRequest = async (request: FastifyRequest) => sockets.requireRoom(request.ip);
  app.server.get('/app/:key', { websocket: true, config: { live: true }, onRequest }, (socket: WebSocket, request) => {
    if ((request.params as { key: string }).key === BROADCAST_KEY) sockets.open(socket, request.ip);
    else socket.close(4001, 'no such application');
  });
  app.server.post('/broadcasting/auth', async (request) => {
    const caller = await callerOf(app, request, LISTENING);
    const { socket_id = '', channel_name = '' } = wordsOf(request.body);
    if (!SOCKET_ID.test(socket_id) || !(await mayHear(caller, channel_name))) throw new BusinessError('forbidden');
    return { auth: grants.give(socket_id, channel_name, caller.session_id) };
  });
  app.server.post('/broadcasting/user-auth', async (request) => {
    const caller = await callerOf(app, request, LISTENING);
    const { socket_id = '' } = wordsOf(request.body);
    if (!SOCKET_ID.test(socket_id)) throw new BusinessError('malformed_request');
    const user_data = JSON.stringify({ id: String(caller.user_id), user_info: { name: caller.name } });
    return { auth: grants.give(socket_id, userOf(user_data), caller.session_id), user_data };
  });

  const hear = (text: string) => {
    const event = eventOf(text);
    if (event) sockets.send(event);
  };
  const hearing = await fanOut.subscribe(SUBJECT, hear, () => sockets.reread());
  // Screens would show old data as long as no messages arrive.
  const lookingAgain = setInterval(() => {
    if (!fanOut.state().connected) sockets.reread(AWAY_MS);
  }, AWAY_MS).unref();

  return {
    async stop() {
      clearInterval(lookingAgain);
      await hearing.stop();
      sockets.stop();
    },
  };
}
