import { getBalance, listInbound } from '@heliograph/contract/api/account';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { KeyHolder } from './keyring.ts';
import { mountPublicOperation, type ProgramContext, type PublicApi, programOf } from './mount-public.ts';

const NO_MONEY = { credit_balance: 0, reserved: 0, credit_limit: 0 };

/** Returns what the account of a key may spend. Throws `billing_account_missing`. */
export async function balanceOf(
  { db, is_test }: Pick<ProgramContext, 'db' | 'is_test'>,
  holder: KeyHolder,
): Promise<z.output<(typeof getBalance)['reply']>> {
  const account = await db
    .selectFrom('billing_account as b')
    .innerJoin('corporation as c', 'c.id', 'b.corporation_id')
    .select(['b.name', 'b.credit_balance', 'b.reserved', 'b.credit_limit', 'b.suspended', 'b.enabled', 'c.currency'])
    .where('b.id', '=', programOf(holder).billing_account_id)
    .executeTakeFirst();
  if (!account) throw new BusinessError('billing_account_missing');
  const { name, suspended, enabled, currency } = account;
  // Tests are never charged, and a test key must not show the credit left by live messages.
  const { credit_balance, reserved, credit_limit } = is_test ? NO_MONEY : account;
  return {
    billing_account: name,
    credit: fromThousandths(credit_balance),
    reserved: fromThousandths(reserved),
    credit_limit: fromThousandths(credit_limit),
    available: fromThousandths(credit_balance + credit_limit),
    currency,
    suspended: suspended || !enabled,
  };
}

/** Returns the texts of virtual handsets with ids after one, as messages from phones. */
async function repliesOfHandsets(db: Kysely<Database>, corporation_id: number, after: number, limit: number) {
  const { rows } = await sql<{ id: number; oa: string; number: string; message: string; received_at: string }>`
    SELECT id, number AS oa, recipient AS number, text AS message, received_at FROM sandbox_reply
    WHERE corporation_id = ${corporation_id} AND id > ${after} ORDER BY id LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, keyword: null, is_binary: false, parameters: null }));
}

/** Mounts the calls about the account, and messages from phones. */
export function accountRoutes(api: PublicApi): void {
  mountPublicOperation(api, getBalance, ({ holder, read }) => read((ctx) => balanceOf(ctx, holder)));

  mountPublicOperation(api, listInbound, ({ holder, query: { limit, cursor = '0' }, read }) =>
    read(async ({ db, caller, is_test }) => {
      if (!/^\d{1,16}$/.test(cursor)) throw new BusinessError('cursor_invalid');
      const rows = await db
        .selectFrom('inbox_message')
        .select(['id', 'oa', 'number', 'message', 'keyword', 'is_binary', 'parameters', 'received_at'])
        .where('corporation_id', '=', holder.caller.corporation_id)
        .where('id', '>', Number(cursor))
        .$if(is_test, (query) =>
          query.where('link_id', 'in', db.selectFrom('link').select('id').where('for_tests', '=', true)),
        )
        .orderBy('id')
        .limit(limit + 1)
        .execute();
      const ofHandsets = is_test
        ? await repliesOfHandsets(db, holder.caller.corporation_id!, Number(cursor), limit + 1)
        : [];
      const all = [...rows, ...ofHandsets].sort((a, b) => a.id - b.id);
      const page = all.slice(0, limit);
      return {
        data: page.map(({ id, oa, number, message, keyword, is_binary, parameters, received_at }) => ({
          id: String(id),
          from: oa,
          to: number,
          text: caller.content_visible ? message : '',
          keyword,
          binary: is_binary,
          parameters: (parameters ?? {}) as Record<string, string>,
          received_at,
        })),
        next_cursor: String(page.at(-1)?.id ?? cursor),
        has_more: all.length > limit,
      };
    }),
  );
}
