import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { isNumeric, SENDER_COLUMNS, type SenderState, senderId } from '@heliograph/contract/senders/sender-id';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { BulkKind, RowFault } from '#platform/tasks/bulk-upload';
import { protectedAmong, requireUnheld, reservedAmong } from './names.ts';

const input = senderId.create.omit({ corporation_id: true, throughput: true, draft: true });
type Sender = z.output<typeof input>;

const YES = /^(true|yes|1)$/i;
const NO = /^(false|no|0)$/i;
const FLAGS = ['is_promotional', 'add_optout', 'enabled'] as const;

/** Reads a row like a form; an empty flag gets the form's default. */
function parse(raw: (column: string) => string): Sender | RowFault {
  const cell = (column: string) => raw(column).trim();
  for (const flag of FLAGS) {
    const value = cell(flag);
    if (value !== '' && !YES.test(value) && !NO.test(value)) return { field: flag, value, fault: 'validation.yes_no' };
  }
  const flags = Object.fromEntries(
    FLAGS.filter((flag) => cell(flag) !== '').map((flag) => [flag, YES.test(cell(flag))]),
  );
  const record = { ...flags, sender_id: cell('sender_id'), optout_keyword: cell('optout_keyword') || null };
  const parsed = input.safeParse(record);
  if (parsed.success) return parsed.data;
  const field = String(parsed.error.issues[0]?.path[0]);
  return { field, value: cell(field), fault: keyIn('validation', field) };
}

/** Person who uploaded a file, and the state in which its sender IDs begin. */
interface Parameters {
  state: SenderState;
  user_id: number;
  level: number;
}

/** Finds the numbers that other corporations hold. */
async function takenNumbers(
  db: Kysely<Database>,
  corporationId: number,
  numbers: readonly string[],
): Promise<Map<string, RowFault>> {
  const taken = new Map<string, RowFault>();
  for (const value of numbers)
    await requireUnheld({ db }, corporationId, value).catch((error: unknown) => {
      if (!(error instanceof BusinessError)) throw error;
      taken.set(value, { field: 'sender_id', value, fault: 'validation.number_taken' });
    });
  return taken;
}

/** Files of sender IDs of one corporation. */
export const senderIdKind: BulkKind<Sender> = {
  name: senderId.name,
  columns: SENDER_COLUMNS,
  required: ['sender_id'],
  key: 'sender_id',
  duplicate: 'errors.sender_ids_already_exist',
  begin: (_db, { corporation_id, parameters }) => ({
    parse,
    async refuse(db, rows) {
      const names = rows.map(({ sender_id }) => sender_id);
      if (isAdministration((parameters as Parameters).level))
        return takenNumbers(db, corporation_id!, names.filter(isNumeric));
      const reserved = await reservedAmong(db, corporation_id!, names);
      const guarded = await protectedAmong(db, names);
      return new Map(
        names.flatMap((value) => {
          const fault = isNumeric(value)
            ? 'validation.sender_number'
            : reserved.has(value)
              ? 'validation.name_reserved'
              : guarded.get(value) === 'refuse' && 'validation.name_protected';
          return fault ? [[value, { field: 'sender_id', value, fault }]] : [];
        }),
      );
    },
    keyOf: ({ sender_id }) => sender_id,
    async add(db, rows) {
      const { state, user_id, level } = parameters as Parameters;
      const guarded = await protectedAmong(
        db,
        rows.map(({ sender_id }) => sender_id).filter((name) => !isNumeric(name)),
      );
      const stated = rows.map((row) => {
        const held_name = guarded.has(row.sender_id);
        return { ...row, held_name, state: held_name && !isAdministration(level) ? 'submitted' : state };
      });
      const { rows: added } = await sql<{ sender_id: string }>`
        WITH added AS (
          INSERT INTO sender_id (corporation_id, sender_id, is_promotional, add_optout, optout_keyword, enabled, state, held_name, requested_by)
          SELECT ${corporation_id}, sender_id, is_promotional, add_optout, optout_keyword, enabled, state, held_name, ${user_id}
          FROM jsonb_to_recordset(${JSON.stringify(stated)}::jsonb) AS r (sender_id text, is_promotional boolean,
            add_optout boolean, optout_keyword text, enabled boolean, state text, held_name boolean)
          ON CONFLICT DO NOTHING RETURNING id, corporation_id, sender_id, state
        ), told AS (
          INSERT INTO sender_event (corporation_id, sender_id_id, sender_id, to_state, actor_id)
          SELECT corporation_id, id, sender_id, state, ${user_id} FROM added
        )
        SELECT sender_id FROM added`.execute(db);
      return new Set(added.map(({ sender_id }) => sender_id));
    },
  }),
};
