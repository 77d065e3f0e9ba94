export { until } from '@heliograph/fault-kit';

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { callbackKind } from '#modules/callbacks';
import { addEvents, type NewEvent } from '#modules/events';
import { HttpSender } from '#modules/http-deliveries';
import type { Logger } from '#platform/log';
import { listenOn } from '../own-port.ts';
import type { Scope } from '../template-database.ts';
import { type Client, startTestApi, type TestApi } from '../test-api.ts';

export interface Came {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A program that receives callbacks. It records requests, and answers each path with 200 unless `answers` has it. */
export interface Receiver {
  url: string;
  came: Came[];
  answers: Map<string, (response: ServerResponse) => void>;
}

export async function receiver(t: Scope): Promise<Receiver> {
  const came: Came[] = [];
  const answers: Receiver['answers'] = new Map();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      came.push({ path, headers: request.headers, body });
      const answer = answers.get(path);
      if (answer) answer(response);
      else response.end('ok');
    });
  });
  return { url: `http://127.0.0.1:${await listenOn(server, t)}`, came, answers };
}

export interface CallbackStage {
  api: TestApi;
  corporate: Client;
  acme: number;
  receiver: Receiver;
  sender: HttpSender;
  /** Starts the callback sender of a second worker. */
  another(): void;
  all<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  one<Row>(text: string, values?: unknown[]): Promise<Row>;
  /** Adds an endpoint of Acme at a path of the receiver, and returns its id. */
  endpoint(path: string, fields?: object): Promise<number>;
  /** Creates a new secret for the endpoint, and returns it as its owner sees it. */
  rotate(id: number, overlap_hours?: number): Promise<string>;
  tell(...events: Partial<NewEvent>[]): Promise<void>;
  /** Makes every waiting try due now. */
  hurry(): Promise<unknown>;
}

export async function callbackStage(
  t: Scope,
  settings: Record<string, string> = {},
  log?: Logger,
): Promise<CallbackStage> {
  // Hooks run in the order of their registration; this one must run before the hook that closes the database.
  const senders: HttpSender[] = [];
  t.after(async () => void (await Promise.all(senders.map((each) => each.stop()))));
  const api = await startTestApi(t, {
    settings: { PRIVATE_TARGETS: '127.0.0.0/8', HTTP_CALLBACKS: 'true', ...settings },
    ...(log && { log }),
  });
  const to = await receiver(t);
  const owner = api.database.pool('owner');
  const all = async <Row>(text: string, values: unknown[] = []) => (await owner.query(text, values)).rows as Row[];
  const one = async <Row>(text: string, values: unknown[] = []) => (await all<Row>(text, values))[0]!;
  // These tests do not use the events of the demo.
  await all('DELETE FROM event');
  const { id: acme } = await one<{ id: number }>("SELECT id FROM corporation WHERE name = 'Acme Retail'");
  const corporate = await api.as('corporate');
  const database = api.database.db('worker');
  const start = () => {
    const worker = { database, config: api.config, log: api.log };
    const begun = new HttpSender(worker, [callbackKind(worker)]);
    begun.start();
    senders.push(begun);
    return begun;
  };
  const sender = start();
  return {
    api,
    corporate,
    acme,
    receiver: to,
    sender,
    another: () => void start(),
    all,
    one,
    async endpoint(path, fields = {}) {
      const body = { corporation_id: acme, url: to.url + path, ...fields };
      const answer = await corporate('POST', '/api/v1/callbacks', body);
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return (answer.body as { data: { id: number } }).data.id;
    },
    async rotate(id, overlap_hours = 24) {
      const { status, body } = await corporate('POST', `/api/v1/callbacks/${id}/rotate`, { overlap_hours });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return (body as { data: { secret: string } }).data.secret;
    },
    async tell(...events) {
      await addEvents(
        database,
        events.map((event) => ({
          corporation_id: acme,
          department_id: null,
          user_id: null,
          type: 'balance.low',
          message_id: null,
          data: { billing_account_id: 1, limit: 'low_balance', balance: 9_500 },
          ...event,
        })),
      );
    },
    hurry: () => all(`UPDATE callback SET next_at = now() WHERE state = 'waiting'`),
  };
}
