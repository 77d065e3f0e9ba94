import { isIP } from 'node:net';
import { LINK_CHANNEL, LINK_EVENT, link } from '@heliograph/contract/links/link';
import { sql } from 'kysely';
import { lookAtLinks, moveUnregistered, passwordContext } from '#modules/delivery';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { carrierAddresses } from '#platform/outbound/outbound';
import { seal, secretKey } from '#platform/process/seal';
import { emit } from '#platform/realtime/realtime';
import { tableStore } from '#platform/records/table-store';
import { fitProtocol } from './fit-protocol.ts';

const stored = tableStore(link, { table: 'link', from: 'link_row', searched: ['name', 'host', 'system_id'] });

/** Fields whose change means another carrier, or other ids: the learned facts no longer apply. */
const IDENTITY = ['protocol', 'host', 'port', 'system_id', 'id_rule'] as const;

/** Tells senders and open consoles of links that one link must be read again. */
export async function sayNews(ctx: Pick<Context, 'db'>, id: number): Promise<void> {
  await lookAtLinks(ctx.db);
  await emit(ctx.db, `private-${LINK_CHANNEL}`, LINK_EVENT, { ids: [id] });
}

/** Answers the columns of a password. No answer contains it, and the log shows only when it was set. */
const sealed = (ctx: Context, id: number, password: string) => ({
  password_sealed: seal(secretKey(ctx.config), password, passwordContext(id)),
  credentials_set_at: ctx.clock.now().toISOString(),
});

/**
 * Refuses an address that the platform's settings do not allow. A host name is checked at each connection, because it
 * may lead elsewhere tomorrow.
 */
function checkHost({ config }: Pick<Context, 'config'>, host: string | undefined): void {
  if (host !== undefined && isIP(host) !== 0 && !carrierAddresses(config)(host))
    throw fieldError('host', 'link_address_not_allowed');
}

/** Fields that identify the carrier of a password: a stored password is never sent to another one. */
const WHOSE_PASSWORD = ['protocol', 'host', 'port', 'system_id'] as const;

const NOTHING_LEARNED = { learned_id_rule: null, learned_receipts: null, learned_at: null };

/** Links to carriers. The password can be set and is never answered. */
export const links: ResourceHandlers<typeof link> = {
  ...stored,
  async create(ctx, { params, query, body: { password, ...body } }) {
    const fit = fitProtocol({ ...body, password }, body.protocol, null);
    checkHost(ctx, fit.host ?? body.host);
    const made = await stored.create(ctx, { params, query, body: { ...body, ...fit } as never });
    const { id } = made.data;
    // The password is sealed for its row, and only now its id is known.
    if (password)
      await ctx.db
        .updateTable('link')
        .set(sealed(ctx, id, password))
        .where('id', '=', id)
        .execute();
    await sayNews(ctx, id);
    return { ...made, ...(await stored.get(ctx, { params: { id }, query: {}, body: {} })) };
  },
  async update(ctx, { params, query, body: { password, ...changed } }) {
    const { id } = params;
    const { data: present } = await stored.get(ctx, { params, query: {}, body: {} });
    const fit = fitProtocol({ ...changed, password }, changed.protocol ?? present.protocol, present.http);
    const body = { ...changed, ...fit } as typeof changed;
    checkHost(ctx, body.host);
    const other = WHOSE_PASSWORD.some((field) => body[field] !== undefined && body[field] !== present[field]);
    if (other && !password && present.credentials_set_at !== null) throw fieldError('password', 'link_password_again');
    const moved = IDENTITY.some((field) => body[field] !== undefined && body[field] !== present[field]);
    const changes = { ...body, ...(password && sealed(ctx, id, password)), ...(moved && NOTHING_LEARNED) };
    const saved = await stored.update(ctx, { params, query, body: changes });
    if (body.asks_registration === true && !present.asks_registration) await moveUnregistered(ctx.db, id, null);
    await sayNews(ctx, id);
    return saved;
  },
  async remove(ctx, call) {
    const { id } = call.params;
    // Messages moved here from another link leave no reference in a table that PostgreSQL would check.
    const { rows } = await sql<{ carried: boolean }>`SELECT link_has_carried(${id}) AS carried`.execute(ctx.db);
    if (rows[0]?.carried) throw new BusinessError('has_dependencies');
    return stored.remove(ctx, call);
  },
};
