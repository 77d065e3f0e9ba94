import { OPT_OUT_COLUMNS, optOut, uploadOptOuts } from '@heliograph/contract/contacts/opt-out';
import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import { BusinessError } from '#platform/errors';
import { type App, mountResource } from '#platform/http/http';
import { readNumberRules } from '#platform/operator/number-rules';
import { tableStore } from '#platform/records/table-store';
import { type BulkKind, mountBulkUpload } from '#platform/tasks/bulk-upload';
import { translate } from '#platform/text/i18n';
import { requireNumber } from './number-lists.ts';
import { numberCell, pastCell } from './number-rows.ts';
import { optIn } from './opt-outs.ts';

/**
 * Tells if an opt-out may be ended by hand. One that was entered by hand may be a mistake. One that the person sent, or
 * that came from a file, is never undone by others.
 */
const mayEnd = ({ source, active }: Pick<z.output<typeof optOut.row>, 'source' | 'active'>) =>
  source === 'person' && active;

const stored = tableStore(optOut, {
  table: 'opt_out',
  from: 'opt_out_row',
  searched: ['number', 'message', 'note'],
  may: (row) => ({ delete: mayEnd(row) }),
});

/** Mounts the list of opt-outs: shown with their proof, entered one by one, and imported from files. */
export function optOutRoutes(app: App): void {
  mountResource(app, optOut, {
    ...stored,
    async create(ctx, call) {
      await requireVisible(ctx, 'corporation', call.body.corporation_id, 'corporation_id');
      const body = {
        ...call.body,
        number: await requireNumber(ctx, call.body.number),
        source: 'person' as const,
        user_id: ctx.caller.user_id,
        opted_out_at: ctx.clock.now().toISOString(),
      };
      return stored.create(ctx, { ...call, body });
    },
    async remove(ctx, call) {
      const { data } = await stored.get(ctx, call);
      if (!mayEnd(data)) throw new BusinessError('opt_out_kept');
      await optIn(ctx.db, { corporation_id: data.corporation_id, number: data.number, at: ctx.clock.now() });
      await audit(ctx, {
        name: optOut.name,
        description: 'deleted',
        subject_type: optOut.name,
        subject_id: data.id,
        corporation_id: data.corporation_id,
        before: data,
      });
      return { message: translate(ctx.locale, 'delete.done') };
    },
  });
  mountBulkUpload(app, uploadOptOuts, optOutKind, async (ctx, { corporation_id }) => {
    await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    return { corporation_id, parameters: { user_id: ctx.caller.user_id } };
  });
}

/** Good row of a file. */
interface FileRow {
  number: string;
  opted_out_at: string | null;
  note: string | null;
}

/** Files of people who opted out, of one corporation. */
export const optOutKind: BulkKind<FileRow> = {
  name: optOut.name,
  columns: OPT_OUT_COLUMNS,
  required: ['number'],
  key: 'number',
  nothing: 'file_without_valid_numbers',
  bulk: 'opt_out',
  async begin(db, { corporation_id, parameters }, counts) {
    const rules = await readNumberRules(db);
    const { user_id } = parameters as { user_id: number };
    return {
      parse(cell, exact) {
        const number = numberCell(cell, rules, counts);
        if (typeof number !== 'string') return number;
        const opted_out_at = pastCell(exact, 'opted_out_at', 'validation.opted_out_at');
        if (typeof opted_out_at === 'object' && opted_out_at !== null) return opted_out_at;
        return { number, opted_out_at, note: cell('note').trim().slice(0, 300) || null };
      },
      keyOf: ({ number }) => number,
      async add(trx, rows) {
        const { rows: added } = await sql<{ number: string }>`
          INSERT INTO opt_out (corporation_id, number, source, user_id, opted_out_at, note)
          SELECT ${corporation_id}, number, 'import', ${user_id}, coalesce(opted_out_at, now()), note
          FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (number text, opted_out_at timestamptz, note text)
          ON CONFLICT (corporation_id, number) WHERE ended_at IS NULL DO NOTHING RETURNING number`.execute(trx);
        return new Set(added.map(({ number }) => number));
      },
    };
  },
};
