import { isIP } from 'node:net';
import { ACTION_USES, routing } from '@heliograph/contract/inbound-routing/routing';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import { requireReader } from '#platform/access/hidden-texts';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { allowedAddress, hostOf, TargetError, WEB_PORTS } from '#platform/outbound/outbound';
import { seal, secretKey } from '#platform/process/seal';
import { tableStore } from '#platform/records/table-store';
import { holderOf } from './number-holder.ts';

const stored = tableStore(routing, {
  table: 'routing',
  from: 'routing_row',
  searched: ['number', 'keyword', 'campaign_name', 'url'],
});
type Row = Awaited<ReturnType<typeof stored.get>>['data'];
type Fields = Pick<Row, 'corporation_id' | 'number' | 'keyword' | 'action' | 'url' | 'sender_id_id' | 'user_id'>;

const isPlatform = ({ caller }: Context) => isAdministration(caller.scope_level);

/** Returns the context in which a routing's password is sealed. */
export const routingPasswordContext = (id: number): string => `routing.password_sealed.${id}`;

/** Inbound route rules. A password can be written but never read. */
export const routings: ResourceHandlers<typeof routing> = {
  ...stored,
  async create(ctx, { params, query, body: { password, ...body } }) {
    await check(ctx, body, undefined);
    const made = await stored.create(ctx, { params, query, body: body as never });
    const { id } = made.data;
    // The password is sealed for its row, and the row's id is known only now.
    if (password)
      await ctx.db
        .updateTable('routing')
        .set(sealed(ctx, id, password))
        .where('id', '=', id)
        .execute();
    return { ...made, ...(await stored.get(ctx, { params: { id }, query: {}, body: {} })) };
  },
  async update(ctx, { params, query, body: { password, ...body } }) {
    const { data: present } = await stored.get(ctx, { params, query: {}, body: {} });
    const fields = {
      ...present,
      ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
    };
    await check(ctx, fields, present);
    return stored.update(ctx, {
      params,
      query,
      // If the platform saves a routing, it gives out the number, so the routing is in effect.
      body: { ...body, ...(isPlatform(ctx) && { withheld: false }), ...(password && sealed(ctx, params.id, password)) },
    });
  },
};

const sealed = (ctx: Context, id: number, password: string) => ({
  password_sealed: seal(secretKey(ctx.config), password, routingPasswordContext(id)),
  password_set_at: ctx.clock.now().toISOString(),
});

async function check(ctx: Context, fields: Fields, before: Row | undefined): Promise<void> {
  const { corporation_id, number, sender_id_id, user_id } = fields;
  const own = sql<boolean>`corporation_id = ${corporation_id}`;
  if (!before) await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
  if (sender_id_id !== null && sender_id_id !== before?.sender_id_id)
    await requireVisible(ctx, 'sender_id', sender_id_id, 'sender_id_id', own);
  if (user_id !== null && user_id !== before?.user_id)
    await requireVisible(ctx, 'user_account', user_id, 'user_id', own);
  if (!before || number !== before.number || fields.keyword !== before.keyword || (before.withheld && isPlatform(ctx)))
    await requireGiven(ctx, fields, before);
  if (ACTION_USES[fields.action] === 'address') {
    if (fields.url === null) throw fieldError('url', 'required');
    if (fields.url !== before?.url || fields.action !== before.action) requireReader(ctx, 'url');
  }
  if (fields.url !== null && fields.url !== before?.url) await requirePublic(ctx, fields.url);
  await requireUnambiguous(ctx, fields, before?.id);
}

/**
 * Checks that the number was given out. The platform gives out numbers by a first routing, or as a sender ID that is a
 * number. The holder of a number divides it into keywords. On a number of another corporation only the platform may add
 * a routing, and never one for all texts.
 */
async function requireGiven(ctx: Context, { corporation_id, number, keyword }: Fields, before?: Row): Promise<void> {
  const holder = await holderOf(ctx, number);
  if (!isPlatform(ctx)) {
    if (holder !== corporation_id || before?.withheld)
      throw fieldError(before && number === before.number ? 'keyword' : 'number', 'number_not_own');
  } else if (keyword === null && holder !== null && holder !== corporation_id) {
    throw fieldError('keyword', 'keyword_to_share');
  }
}

/**
 * Checks the address of a routing. A host name is resolved and checked when a message is handed on; an IP address can
 * be checked now.
 */
async function requirePublic(ctx: Context, address: string): Promise<void> {
  const target = hostOf(new URL(address));
  if (isIP(target.host) === 0) return;
  await allowedAddress(ctx.config, { ...target, ports: WEB_PORTS }).catch((error: unknown) => {
    throw error instanceof TargetError ? fieldError('url', 'url_not_allowed') : error;
  });
}

/**
 * Refuses two keywords of a number that mean the same by the corporation's aliases, because it would be unclear which
 * one applies.
 */
async function requireUnambiguous(ctx: Context, fields: Fields, id = 0): Promise<void> {
  if (fields.keyword === null) return;
  const meant = (word: ReturnType<typeof sql>) => sql`coalesce((SELECT name_key(a.word) FROM alias_word w
    JOIN alias a ON a.id = w.alias_id AND a.enabled
    WHERE w.corporation_id = ${fields.corporation_id} AND w.word = name_key(${word})), name_key(${word}))`;
  const { rows } = await sql`SELECT FROM routing r WHERE r.corporation_id = ${fields.corporation_id}
    AND r.number = ${fields.number} AND r.id <> ${id} AND NOT r.withheld AND r.keyword IS NOT NULL
    AND ${meant(sql`r.keyword`)} = ${meant(sql`${fields.keyword}::text`)}`.execute(ctx.db);
  if (rows.length > 0) throw new BusinessError('routing_already_exists');
}
