import { randomInt } from 'node:crypto';
import { systemId } from '@heliograph/contract/smpp-server/system-id';
import { sql } from 'kysely';
import { hashPassword } from '#modules/identity';
import { requireFreshProof } from '#platform/access/fresh-proof';
import { requireReader } from '#platform/access/hidden-texts';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { tellServers } from './channel.ts';

const stored = tableStore(systemId, {
  table: 'smpp_system_id',
  from: 'smpp_system_id_row',
  searched: ['system_id', 'user_name'],
});

/** Operations on system ids. The password is stored as a hash and never returned. */
export const systemIds: ResourceHandlers<typeof systemId> = {
  ...stored,
  async create(ctx, { params, query, body: { password, ...body } }) {
    await requireVisible(ctx, 'corporation', body.corporation_id, 'corporation_id');
    await requireSmppUser(ctx, body.corporation_id, body.user_id);
    if (body.receives_replies) requireReader(ctx, 'receives_replies');
    const system_id = body.system_id ?? newSystemId();
    return stored.create(ctx, {
      params,
      query,
      body: { ...body, system_id, ...(await hashed(ctx, password)) } as never,
    });
  },
  async update(ctx, { params, query, body: { password, ...body } }) {
    if (password !== undefined) requireFreshProof(ctx);
    const { data: present } = await stored.get(ctx, { params, query: {}, body: {} });
    if (body.user_id !== undefined && body.user_id !== present.user_id)
      await requireSmppUser(ctx, present.corporation_id, body.user_id);
    const { receives_replies = present.receives_replies } = body;
    if (receives_replies && (!present.receives_replies || password !== undefined))
      requireReader(ctx, 'receives_replies');
    const changes = { ...body, ...(password === undefined ? {} : await hashed(ctx, password)) };
    const saved = await stored.update(ctx, { params, query, body: changes });
    await tellServers(ctx.db);
    return saved;
  },
  async remove(ctx, call) {
    const removed = await stored.remove(ctx, call);
    await tellServers(ctx.db);
    return removed;
  },
};

/** Letters and digits that are not mistaken for one another. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const SYSTEM_ID_LENGTH = 12;

/** Makes a system id that nobody can guess and nobody has. */
const newSystemId = () => Array.from({ length: SYSTEM_ID_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

const hashed = async (ctx: Context, password: string) => ({
  password_hash: await hashPassword(password),
  password_set_at: ctx.clock.now().toISOString(),
});

/** Refuses people who do not connect by SMPP: they use sign-in and the console. */
async function requireSmppUser(ctx: Context, corporationId: number, userId: number): Promise<void> {
  await requireVisible(ctx, 'user_account', userId, 'user_id', sql<boolean>`corporation_id = ${corporationId}`);
  const { rows } = await sql`SELECT FROM user_account u JOIN connection_type t ON t.id = u.connection_type_id
    WHERE u.id = ${userId} AND upper(t.name) = 'SMPP'`.execute(ctx.db);
  if (rows.length === 0) throw fieldError('user_id', 'user_not_smpp');
}
