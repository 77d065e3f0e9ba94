import { setTimeout as sleep } from 'node:timers/promises';
import type { testCallback } from '@heliograph/contract/callbacks/callback';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import type { Attempt } from '#modules/http-deliveries';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Call } from '#platform/http/http';
import { tellWork } from '#platform/jobs/work-watch';
import { bodyOf } from './bodies.ts';
import { findEndpoint } from './endpoints.ts';
import { sample } from './samples.ts';

const WITHIN_MS = 13_000;
const LOOK_MS = 100;
/** Address of a sample if the endpoint has none of its own, because messages name the addresses. */
const NOWHERE = 'https://example.com/';

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
