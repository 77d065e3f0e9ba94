import { keyIn, type MessageKey } from '@heliograph/contract/kernel/message-keys';
import {
  CONSENT_COLUMNS,
  consent,
  consentHistory,
  HISTORY_COLUMNS,
  uploadConsents,
} from '@heliograph/contract/policy/consent';
import { sql } from 'kysely';
import type { z } from 'zod';
import { numberCell, pastCell, requireNumber } from '#modules/contacts';
import { audit } from '#platform/access/audit';
import { shownTo } from '#platform/access/hidden-numbers';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { type App, mountResource } from '#platform/http/http';
import { mountFile } from '#platform/http/mount-file';
import { readNumberRules } from '#platform/operator/number-rules';
import { tableStore } from '#platform/records/table-store';
import { type BulkKind, mountBulkUpload } from '#platform/tasks/bulk-upload';
import { csvFile } from '#platform/tasks/csv-file';
import { translate } from '#platform/text/i18n';

const stored = tableStore(consent, {
  table: 'consent_event',
  from: 'consent_row',
  searched: ['number', 'proof', 'wording'],
  may: (row) => ({ delete: mayRetract(row) }),
});

/** Events by people's own messages, files and programs are evidence; only an entry by hand may be a mistake. */
function mayRetract({ kind, source }: Pick<z.output<typeof consent.row>, 'kind' | 'source'>): boolean {
  return kind !== 'opt_out' && (source === 'person' || source === 'form');
}

/** Mounts the ledger of consents: shown with its proofs, entered one by one, and imported from files. */
export function consentRoutes(app: App): void {
  mountResource(app, consent, {
    ...stored,
    async create(ctx, call) {
      const { corporation_id, sender_id_id } = call.body;
      await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
      const within = sql<boolean>`corporation_id = ${corporation_id}`;
      if (sender_id_id !== null) await requireVisible(ctx, 'sender_id', sender_id_id, 'sender_id_id', within);
      const body = {
        ...call.body,
        number: await requireNumber(ctx, call.body.number),
        user_id: ctx.caller.user_id,
        happened_at: ctx.clock.now().toISOString(),
      };
      return stored.create(ctx, { ...call, body });
    },
    async remove(ctx, call) {
      const { data } = await stored.get(ctx, call);
      if (!mayRetract(data)) throw new BusinessError('consent_kept');
      await ctx.db
        .updateTable('consent_event')
        .set({ retracted_at: ctx.clock.now().toISOString() })
        .where('id', '=', data.id)
        .execute();
      await audit(ctx, {
        name: consent.name,
        description: 'deleted',
        subject_type: consent.name,
        subject_id: data.id,
        corporation_id: data.corporation_id,
        before: data,
      });
      return { message: translate(ctx.locale, 'delete.done') };
    },
  });
  mountFile(app, consentHistory, 'masked', async (ctx, { params }) => {
    const { data } = await stored.get(ctx, { params, query: {}, body: {} });
    return historyOf(ctx, data);
  });
  mountBulkUpload(app, uploadConsents, consentKind, async (ctx, { corporation_id, statement }) => {
    await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    return { corporation_id, parameters: { user_id: ctx.caller.user_id, statement } };
  });
}

type Row = Awaited<ReturnType<typeof stored.get>>['data'];

/** Writes all events of a person in a corporation as a CSV, the oldest first, also the retracted ones. */
async function historyOf(ctx: Context, { id, corporation_id, number }: Pick<Row, 'id' | 'corporation_id' | 'number'>) {
  const rows = await ctx.db
    .selectFrom('consent_event as e')
    .innerJoin('corporation as c', 'c.id', 'e.corporation_id')
    .leftJoin('sender_id as s', 's.id', 'e.sender_id_id')
    .leftJoin('user_account as u', 'u.id', 'e.user_id')
    .select(['e.happened_at', 'e.number', 'e.wording', 'e.proof', 'e.created_at', 'e.retracted_at'])
    .select(['c.name as corporation_name', 's.sender_id as sender_id_name', 'u.name as user_name'])
    .select([sql<Row['kind']>`e.kind`.as('kind'), sql<Row['source']>`e.source`.as('source')])
    .where('e.corporation_id', '=', corporation_id)
    .where('e.number', '=', number)
    .orderBy('e.happened_at')
    .orderBy('e.id')
    .execute();
  const say = (key: MessageKey) => translate(ctx.locale, key);
  return csvFile(
    `consents-${ctx.caller.numbers_visible ? number : id}.csv`,
    HISTORY_COLUMNS.map((column) => say(keyIn('resources', 'consents', 'fields', column))),
    rows.map((row) => {
      const shown = {
        ...shownTo(ctx.caller, consent.row, row),
        kind: say(`consent_kind.${row.kind}`),
        source: say(`consent_source.${row.source}`),
        sender_id_name: row.sender_id_name ?? say('resources.consents.any_sender'),
      };
      return HISTORY_COLUMNS.map((column) => shown[column]);
    }),
  );
}

/** Good row of a file. */
interface FileRow {
  number: string;
  opted_in_at: string | null;
  proof: string | null;
}

/** Files of people who opted in to one corporation. */
export const consentKind: BulkKind<FileRow> = {
  name: consent.name,
  columns: CONSENT_COLUMNS,
  required: ['number'],
  key: 'number',
  nothing: 'file_without_valid_numbers',
  async begin(db, { corporation_id, parameters }, counts) {
    const rules = await readNumberRules(db);
    const { user_id, statement } = parameters as { user_id: number; statement: string };
    return {
      parse(cell, exact) {
        const number = numberCell(cell, rules, counts);
        if (typeof number !== 'string') return number;
        const opted_in_at = pastCell(exact, 'opted_in_at', 'validation.opted_in_at');
        if (typeof opted_in_at === 'object' && opted_in_at !== null) return opted_in_at;
        return { number, opted_in_at, proof: cell('proof').trim().slice(0, 400) || null };
      },
      keyOf: ({ number }) => number,
      async add(trx, rows) {
        const { rows: added } = await sql<{ number: string }>`
          INSERT INTO consent_event (corporation_id, number, kind, source, user_id, happened_at, proof)
          SELECT ${corporation_id}, number, 'opt_in', 'import', ${user_id}, coalesce(opted_in_at, now()),
            concat_ws(' / ', ${statement}::text, proof)
          FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (number text, opted_in_at timestamptz, proof text)
          ORDER BY number RETURNING number`.execute(trx);
        return new Set(added.map(({ number }) => number));
      },
    };
  },
};
