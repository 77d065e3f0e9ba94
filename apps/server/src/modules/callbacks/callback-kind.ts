import type { Kysely } from 'kysely';
import { UNREAD, unreadAfter } from '#modules/events';
import { type DeliveryKind, type Due, type Tried, webhookId } from '#modules/http-deliveries';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { open, seal, secretKey } from '#platform/process/seal';
import { shownDocuments } from '#platform/text/shown-texts';
import { makeCallbacks, type Place } from './make-callbacks.ts';
import { pauseEndpoints } from './pause-endpoints.ts';
import { keyOf, newSecret, secretContext, signedHeaders } from './signing.ts';
import { twilioSignature } from './twilio-report.ts';

/** Callback that must be sent now. */
export interface DueCallback extends Due {
  event_id: number;
  body: string;
  /** Signature of a report for programs of Twilio. */
  signature?: string | undefined;
}

/** Settings of an endpoint that a call needs. */
interface EndpointInUse {
  url: string | null;
  /** True while the endpoint takes no calls except samples. */
  resting: boolean;
  /** Keys that sign, the newest first. */
  keys: readonly Buffer[];
}

const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const GONE = 410;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Thirteen tries over three days. */
export const CALLBACK_LADDER: DeliveryKind['ladder'] = {
  delays: [
    5 * SECOND,
    30 * SECOND,
    2 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    4 * HOUR,
    8 * HOUR,
    12 * HOUR,
    20 * HOUR,
    24 * HOUR,
  ],
  jitter: 0.2,
  longest: 24 * HOUR,
  isFinal: ({ status }) => status === GONE,
};

/** Callbacks: signed requests to endpoints, one for each event. */
export function callbackKind({
  database,
  config,
  log,
}: Pick<WorkerContext, 'database' | 'config' | 'log'>): DeliveryKind<DueCallback, EndpointInUse> {
  const key = secretKey(config);
  const place: Place = { cursor: null };
  return {
    name: 'callback',
    target: 'callback_endpoint_id',
    brings: { columns: 'd.event_id, d.body' },
    awake:
      'JOIN callback_endpoint e ON e.id = w.id AND e.enabled AND e.paused_at IS NULL AND (e.api_key_id IS NULL OR key_works(e.api_key_id))',
    ladder: CALLBACK_LADDER,
    answer: { maxBytes: 16_384, characters: 500 },
    calls: { first: 4, least: 1 },
    pollMs: 250,
    news: { sql: UNREAD, values: () => unreadAfter(place.cursor) },
    make: (room) => makeCallbacks(database, log, room, place),
    readTargets: (ids) => readEndpoints(database, key, ids),
    async open(due) {
      const [body] = await shownDocuments({ db: database, config, locale: 'en' }, [due.body]);
      const signature = await twilioSignature(database, key, due);
      return body === due.body && signature === undefined ? due : { ...due, body: body!, signature };
    },
    requestOf({ url: own, event_id, body, test, signature }, endpoint) {
      const url = own ?? endpoint.url;
      if (!url || (endpoint.resting && !test)) return undefined;
      if (!config.HTTP_CALLBACKS && url.startsWith('http:')) return { fault: 'not_https' };
      // Reports in the form of another gateway: the address says all, or a form does. Only those of Twilio are signed.
      const agent = { 'user-agent': 'Heliograph' };
      if (body === '') return { method: 'GET', url, headers: agent };
      if (!body.startsWith('{')) {
        const proof = signature === undefined ? {} : { 'x-twilio-signature': signature };
        return { method: 'POST', url, headers: { ...agent, 'content-type': FORM_TYPE, ...proof }, body };
      }
      const headers = signedHeaders(endpoint.keys, webhookId(event_id), Math.floor(Date.now() / 1_000), body);
      return {
        method: 'POST',
        url,
        headers: { ...agent, 'content-type': 'application/json', ...headers },
        body,
      };
    },
    recorded: followTries,
  };
}

const READ = `
  SELECT e.id, e.corporation_id, e.url, NOT e.enabled OR e.paused_at IS NOT NULL OR e.api_key_id IS NOT NULL AND NOT key_works(e.api_key_id) AS resting,
    coalesce((SELECT array_agg(s.sealed ORDER BY s.id DESC) FROM callback_secret s
      WHERE s.callback_endpoint_id = e.id AND (s.expires_at IS NULL OR s.expires_at > now())), '{}') AS sealed
  FROM callback_endpoint e WHERE e.id = ANY ($1::bigint[])`;

// Adds a first secret to an endpoint that has none. Nobody has seen it, but it still proves that nobody else has
// signed.
const ADD_SECRET = `
  INSERT INTO callback_secret (corporation_id, callback_endpoint_id, sealed, shown) VALUES ($1, $2, $3, false)
  ON CONFLICT (callback_endpoint_id) WHERE expires_at IS NULL DO NOTHING`;

interface Row {
  id: number;
  corporation_id: number;
  url: string | null;
  resting: boolean;
  sealed: string[];
}

async function readEndpoints(
  db: Kysely<Database>,
  key: Buffer,
  ids: readonly number[],
): Promise<Map<number, EndpointInUse>> {
  let rows = await rowsOf<Row>(db, READ, [ids]);
  const bare = rows.filter(({ sealed }) => sealed.length === 0);
  if (bare.length > 0) {
    for (const { id, corporation_id } of bare)
      await rowsOf(db, ADD_SECRET, [corporation_id, id, seal(key, newSecret(), secretContext(id))]);
    rows = await rowsOf<Row>(db, READ, [ids]);
  }
  return new Map(
    rows.map(({ id, url, resting, sealed }) => {
      const keys = sealed.map((each) => keyOf(open(key, each, secretContext(id))));
      return [id, { url, resting, keys }];
    }),
  );
}

const HEALED = `
  UPDATE callback_endpoint SET failing_since = NULL WHERE id = ANY ($1::bigint[]) AND failing_since IS NOT NULL`;
const FAILING = `
  UPDATE callback_endpoint SET failing_since = now() WHERE id = ANY ($1::bigint[]) AND failing_since IS NULL`;

/** Notes which endpoints work and which fail, and pauses those that failed too long. Samples change nothing. */
async function followTries(db: Kysely<Database>, tried: readonly Tried[]): Promise<void> {
  const real = tried.filter(({ due }) => !due.test);
  const endpoints = (of: readonly Tried[]) => [...new Set(of.map(({ due }) => due.target))].sort((a, b) => a - b);
  const good = endpoints(real.filter(({ state }) => state === 'done'));
  const bad = endpoints(real.filter(({ state }) => state !== 'done')).filter((id) => !good.includes(id));
  if (good.length > 0) await rowsOf(db, HEALED, [good]);
  if (bad.length === 0) return;
  await rowsOf(db, FAILING, [bad]);
  await pauseEndpoints(db, bad, endpoints(real.filter(({ attempt }) => attempt.status === GONE)));
}
