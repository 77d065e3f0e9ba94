import { setTimeout as sleep } from 'node:timers/promises';
import type { testCallback } from '@heliograph/contract/callbacks/callback';
import type { EventType } from '@heliograph/contract/kernel/events';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import type { Attempt } from '#modules/http-deliveries';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Call } from '#platform/http/http';
import { tellWork } from '#platform/jobs/work-watch';
import { bodyOf } from './bodies.ts';
import { findEndpoint } from './endpoints.ts';

const WITHIN_MS = 13_000;
const LOOK_MS = 100;
/** Address of a sample if the endpoint has none of its own, because messages name the addresses. */
const NOWHERE = 'https://example.com/';

/** Makes sample data for an event type. */
function sample(type: EventType, at: string): Record<string, unknown> {
  const message = {
    id: '75557863725916161',
    from: 'Heliograph',
    to: '15550100123',
    parts: 1,
    price: '0.350',
    currency: 'USD',
    client_ref: 'order-1001',
    tags: ['sample'],
    batch_id: null,
    campaign_id: null,
    created_at: at,
    done_at: at,
  };
  if (type === 'message.delivered' || type === 'message.corrected')
    return { ...message, state: 'delivered', error_code: null };
  if (type === 'message.failed') return { ...message, state: 'failed_other', error_code: 'undeliverable:027' };
  if (type === 'message.expired') return { ...message, state: 'expired', error_code: 'expired' };
  if (type === 'message.received')
    return { id: '1', from: '15550100123', to: '12345', text: 'YES', keyword: 'yes', binary: false, received_at: at };
  if (type === 'balance.low')
    return { billing_account_id: '1', name: 'Sample', limit: 'low_balance', balance: '9.500', currency: 'USD' };
  if (type === 'payment.received')
    return {
      id: '1',
      billing_account_id: '1',
      amount: '1000.000',
      total: '1030.000',
      currency: 'USD',
      method: 'Card',
      reference: 'TU2345ABCDEFGH',
      client_reference: null,
      paid_at: at,
    };
  if (type === 'invoice.issued')
    return {
      id: '1',
      kind: 'invoice',
      number: 'INV-2026-00001',
      issue_date: at.slice(0, 10),
      due_date: at.slice(0, 10),
      total: '1120.000',
      currency: 'USD',
      billing_account_id: '1',
      credited_invoice_id: null,
    };
  if (type === 'link.clicked')
    return {
      campaign_id: '1',
      campaign: 'Sample',
      link: 1,
      url: 'https://example.com/sale',
      code: 'Sample1234',
      to: '15550100123',
      clicked_at: at,
    };
  if (type === 'journey.step')
    return {
      journey_id: '1',
      journey: 'Sample',
      step: 1,
      name: 'Sample',
      to: '15550100123',
      contact: { id: '1', name: 'Sample', fields: { city: 'Cebu' } },
    };
  const counts = { messages: 3, submitted: 3, delivered: 2, failed: 1, expired: 0, cancelled: 0 };
  return { id: '1', name: 'Sample', state: 'completed', ...counts, charged: '1.050', currency: 'USD' };
}

/** Sends a sample through the worker, like every other callback, and waits for the answer. */
export async function sendSample(
  _base: Omit<Context, 'db' | 'afterCommit'>,
  { params, body: { type } }: Call<typeof testCallback>,
  run: <R>(work: (ctx: Context) => Promise<R>) => Promise<R>,
): Promise<ReplyOf<typeof testCallback>> {
  const { id, body } = await run(async (ctx) => {
    const endpoint = await findEndpoint(ctx, params.id);
    const at = ctx.clock.now().toISOString();
    const body = bodyOf(type, at, sample(type, at));
    const { rows } = await sql<{ id: number }>`
      INSERT INTO http_delivery (kind, corporation_id, callback_endpoint_id, event_id, type, body, url, test)
      VALUES ('callback', ${endpoint.corporation_id}, ${endpoint.id}, 0, ${type}, ${body}, ${endpoint.url === null ? NOWHERE : null}, true)
      RETURNING id`.execute(ctx.db);
    await tellWork(ctx.db);
    await audit(ctx, {
      name: 'callbacks',
      description: 'sample sent',
      subject_type: 'callbacks',
      subject_id: endpoint.id,
      corporation_id: endpoint.corporation_id,
    });
    return { id: rows[0]!.id, body };
  });
  for (const deadline = performance.now() + WITHIN_MS; performance.now() < deadline; await sleep(LOOK_MS)) {
    const attempts = await run(async (ctx) => {
      const row = await ctx.db
        .selectFrom('http_delivery')
        .select('attempts')
        .where('kind', '=', 'callback')
        .where('id', '=', id)
        .executeTakeFirst();
      return (row?.attempts ?? []) as unknown as Attempt[];
    });
    if (attempts[0]) return { data: { id, body, attempt: attempts[0] } };
  }
  return { data: { id, body, attempt: null } };
}
