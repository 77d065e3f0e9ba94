import { until } from '@heliograph/fault-kit';
import { HttpSender } from '#modules/http-deliveries';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { routingCallKind } from '../../src/modules/inbox/hand-on.ts';
import { type Routed, routeOrSetAside } from '../../src/modules/inbox/route-inbound.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Scope } from '../template-database.ts';
import { type Client, startTestApi, type TestApi } from '../test-api.ts';

/** Short code that belongs to Acme in these tests. */
export const SHORT = '3939';

type Worker = Pick<WorkerContext, 'database' | 'clock' | 'config' | 'log'>;

/** An API with Acme's short code, and functions that bring messages from phones. */
export interface Stage {
  api: TestApi;
  worker: Worker;
  acme: number;
  /** Id of the sender ID that is Acme's short code. */
  shortId: number;
  one<Row>(text: string, values?: unknown[]): Promise<Row>;
  all<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Stores messages as a sender process does, and routes them. Returns their rows of the inbox. */
  bring(...messages: Bringing[]): Promise<InboxRow[]>;
  /** Adds a routing as a corporate admin of Acme, and returns its id. */
  routing(fields: object): Promise<number>;
  /** Makes all waiting calls now, even those that are due later. */
  call(): Promise<void>;
}

export interface Bringing {
  from?: string;
  to?: string;
  text: string;
  is_binary?: boolean;
}

export interface InboxRow {
  id: number;
  corporation_id: number | null;
  user_id: number | null;
  department_id: number | null;
  routing_id: number | null;
  campaign_id: number | null;
  oa: string;
  number: string;
  message: string;
  keyword: string | null;
  handled: string;
  valid: boolean | null;
  reply_message: string | null;
  reply_error: string | null;
  sent_message_id: number | null;
  read_at: string | null;
}

export const PHONE = '639171112233';

/** Starts the API over the demo data, and returns the stage. */
export async function inboxStage(t: Scope, settings: Record<string, string> = {}): Promise<Stage> {
  const api = await startTestApi(t, { settings });
  const owner = api.database.pool('owner');
  const worker = { database: api.database.db('worker'), clock: systemClock, log: api.log, config: api.config };
  const all = async <Row>(text: string, values: unknown[] = []) => (await owner.query(text, values)).rows as Row[];
  const one = async <Row>(text: string, values: unknown[] = []) => (await all<Row>(text, values))[0]!;
  // These tests do not use the inbound messages of the demo.
  await all('DELETE FROM inbox_message');
  const { id: acme } = await one<{ id: number }>("SELECT id FROM corporation WHERE name = 'Acme Retail'");
  const { id: shortId } = await one<{ id: number }>(
    'INSERT INTO sender_id (corporation_id, sender_id) VALUES ($1, $2) RETURNING id',
    [acme, SHORT],
  );
  const corporate: Client = await api.as('corporate');
  return {
    api,
    worker,
    acme,
    shortId,
    one,
    all,
    async bring(...messages) {
      const ids: number[] = [];
      for (const { from = PHONE, to = SHORT, text, is_binary = false } of messages) {
        const { id } = await one<{ id: number }>(
          `INSERT INTO inbound_message (link_id, sender, recipient, text, parts, total, received_at, is_binary)
           VALUES (1, $1, $2, $3, 1, 1, now(), $4) RETURNING id`,
          [from, to, text, is_binary],
        );
        ids.push(id);
      }
      // A worker of the test may be routing them already.
      const waiting = () => all('SELECT FROM inbound_message WHERE id = ANY ($1)', [ids]);
      let routed: Routed;
      do routed = await routeOrSetAside(worker);
      while (routed.count > 0 || (await waiting()).length > 0);
      return all<InboxRow>('SELECT * FROM inbox_message WHERE inbound_id = ANY ($1) ORDER BY inbound_id', [ids]);
    },
    async routing(fields) {
      const body = { corporation_id: acme, number: SHORT, action: 'inbox', ...fields };
      const answer = await corporate('POST', '/api/v1/routings', body);
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return (answer.body as { data: { id: number } }).data.id;
    },
    async call() {
      const due = await all<{ id: number; made: number }>(
        `UPDATE http_delivery SET next_at = now() - interval '1 s' WHERE kind = 'routing_call' AND state = 'waiting'
         RETURNING id, jsonb_array_length(attempts) AS made`,
      );
      const sender = new HttpSender(worker, [routingCallKind(worker)]);
      sender.start();
      sender.wake('routing_call');
      const left = (each: { id: number; made: number }) =>
        all('SELECT FROM http_delivery WHERE id = $1 AND jsonb_array_length(attempts) <= $2', [each.id, each.made]);
      for (const each of due) await until('the call is made', async () => (await left(each)).length === 0);
      await sender.stop();
    },
  };
}
