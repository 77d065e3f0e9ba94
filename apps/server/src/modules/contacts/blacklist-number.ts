import {
  BLACKLIST_COLUMNS,
  blacklistNumber,
  uploadBlacklistNumbers,
} from '@heliograph/contract/contacts/blacklist-number';
import { sql } from 'kysely';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { type App, mountResource } from '#platform/http/http';
import { readNumberRules } from '#platform/operator/number-rules';
import { tableStore } from '#platform/records/table-store';
import { type BulkKind, mountBulkUpload } from '#platform/tasks/bulk-upload';
import { requireNumber } from './number-lists.ts';
import { numberCell } from './number-rows.ts';

const stored = tableStore(blacklistNumber, { table: 'blacklist_number', from: 'blacklist_number_row' });
type Mask = { corporation_id: number; sender_id_id?: number | null | undefined };

async function requireMask(ctx: Context, { corporation_id, sender_id_id }: Mask): Promise<void> {
  await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
  const own = sql<boolean>`corporation_id = ${corporation_id}`;
  if (sender_id_id) await requireVisible(ctx, 'sender_id', sender_id_id, 'sender_id_id', own);
}

/** Mounts the blacklist of numbers: one by one, and as files. */
export function blacklistNumberRoutes(app: App): void {
  mountResource(app, blacklistNumber, {
    ...stored,
    async create(ctx, call) {
      await requireMask(ctx, call.body);
      return stored.create(ctx, {
        ...call,
        body: { ...call.body, number: await requireNumber(ctx, call.body.number) },
      });
    },
    async update(ctx, call) {
      const { corporation_id } = (await stored.get(ctx, call)).data;
      const { number, sender_id_id } = call.body;
      await requireMask(ctx, { corporation_id, sender_id_id });
      if (number === undefined) return stored.update(ctx, call);
      return stored.update(ctx, { ...call, body: { ...call.body, number: await requireNumber(ctx, number) } });
    },
  });
  mountBulkUpload(app, uploadBlacklistNumbers, blacklistNumberKind, async (ctx, { corporation_id, ...mask }) => {
    await requireMask(ctx, { corporation_id, ...mask });
    return { corporation_id, parameters: mask };
  });
}

/** Files of numbers to block for one corporation, mask and channel. */
export const blacklistNumberKind: BulkKind<string> = {
  name: blacklistNumber.name,
  columns: BLACKLIST_COLUMNS,
  required: BLACKLIST_COLUMNS,
  key: 'number',
  duplicate: 'errors.numbers_already_blacklisted',
  nothing: 'file_without_valid_numbers',
  bulk: 'blacklist_number',
  async begin(db, { corporation_id, parameters }, counts) {
    const rules = await readNumberRules(db);
    const { sender_id_id, channel } = parameters as { sender_id_id: number | null; channel: string };
    return {
      parse(cell) {
        return numberCell(cell, rules, counts);
      },
      keyOf: (number) => number,
      async add(trx, numbers) {
        const { rows } = await sql<{ number: string }>`
          INSERT INTO blacklist_number (corporation_id, sender_id_id, channel, number)
          SELECT ${corporation_id}, ${sender_id_id}, ${channel}, unnest(${numbers}::text[])
          ON CONFLICT DO NOTHING RETURNING number`.execute(trx);
        return new Set(rows.map(({ number }) => number));
      },
    };
  },
};
