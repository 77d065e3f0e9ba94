import * as contract from '@heliograph/contract/sandbox/handsets';
import { type Kysely, sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { corporationsOf } from '#platform/access/scope-clause';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { type App, type Handler, mount } from '#platform/http/http';
import { handsetMessages } from './handsets.ts';
import { replyFrom } from './reply-from.ts';
import { moveTime } from './test-time.ts';

interface Row {
  id: number;
  number: string;
  corporation_id: number;
  corporation_name: string;
  messages: number;
  last_at: string;
}

const list: Handler<typeof contract.listVirtualHandsets> = async ({ db, caller }) => {
  const own = corporationsOf(caller);
  const { rows } = await sql<Row>`
    SELECT h.*, c.name AS corporation_name FROM (
      SELECT min(message_id) AS id, corporation_id, number, count(DISTINCT message_id)::int AS messages, max(received_at) AS last_at
      FROM (SELECT p.* FROM sandbox_part p JOIN chunk k ON k.id = p.message_id >> 10
        WHERE ${own === null ? sql`true` : sql`p.corporation_id = ANY (${[...own]}::bigint[])`}) p
      GROUP BY corporation_id, number ORDER BY max(received_at) DESC LIMIT ${contract.MOST_SHOWN}) h
    JOIN corporation c ON c.id = h.corporation_id ORDER BY h.last_at DESC`.execute(db);
  const links = await sql<{ elsewhere: boolean }>`
    SELECT EXISTS (SELECT FROM link WHERE for_tests AND enabled AND NOT virtual) AS elsewhere`.execute(db);
  return { data: rows, elsewhere: links.rows[0]!.elsewhere };
};

/** Finds the handset that received a message. Throws `not_found`. */
async function handsetOf(db: Kysely<Database>, id: number): Promise<{ corporation_id: number; number: string }> {
  const { rows } = await sql<{ corporation_id: number; number: string }>`
    SELECT p.corporation_id, p.number FROM sandbox_part p JOIN chunk k ON k.id = p.message_id >> 10
    WHERE p.message_id = ${id} LIMIT 1`.execute(db);
  if (!rows[0]) throw new BusinessError('not_found');
  return rows[0];
}

const show: Handler<typeof contract.showVirtualHandset> = async ({ db, caller }, { params }) => {
  const { corporation_id, number } = await handsetOf(db, params.id);
  const rows = await handsetMessages(db, corporation_id, number, contract.MOST_SHOWN);
  return { data: rows.map((row) => ({ ...row, text: caller.content_visible ? row.text : null })) };
};

const reply: Handler<typeof contract.replyFromVirtualHandset> = async (ctx, { params, body }) => {
  const handset = await handsetOf(ctx.db, params.id);
  const { id } = await replyFrom(ctx.db, { ...handset, text: body.text });
  await note(ctx, 'created', handset.corporation_id, { texts_sent: 1 });
  return { data: { id } };
};

const pass: Handler<typeof contract.passVirtualTime> = async (ctx, { body: { corporation_id, seconds } }) => {
  const own = corporationsOf(ctx.caller);
  const { rows } = await sql`SELECT FROM corporation WHERE id = ${corporation_id}`.execute(ctx.db);
  if (rows.length === 0 || (own !== null && !own.includes(corporation_id))) throw new BusinessError('not_found');
  const moved = await moveTime(ctx.db, corporation_id, seconds);
  await note(ctx, 'updated', corporation_id, { seconds });
  return { data: moved };
};

const note = (ctx: Context, description: string, corporation_id: number, after: object) =>
  audit(ctx, {
    name: 'virtual-handsets',
    description,
    subject_type: 'virtual-handsets',
    subject_id: null,
    after,
    corporation_id,
  });

/** Mounts the virtual handsets of the console. */
export function sandboxRoutes(app: App): void {
  mount(app, contract.listVirtualHandsets, list);
  mount(app, contract.showVirtualHandset, show);
  mount(app, contract.replyFromVirtualHandset, reply);
  mount(app, contract.passVirtualTime, pass);
}
