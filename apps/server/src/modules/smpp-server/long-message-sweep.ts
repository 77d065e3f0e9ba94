import type pg from 'pg';
import type { Intake } from '#modules/intake';
import { inTransaction } from '#platform/database/in-transaction';
import { BusinessError } from '#platform/errors';
import { SOON } from '#platform/jobs/work-watch';
import type { Logger } from '#platform/log';
import { Customer } from './customers.ts';
import { addDeliveries, type NewDelivery } from './delivery-rows.ts';
import { HAND_IN_SECONDS, type PartRow, type WholeMessage, wholeOf } from './long-messages.ts';
import { type Envelope, joinParts, Refusal, wantsReceipt } from './read-submit.ts';
import { isPassing, submissionOf, wasHandedIn } from './submit-handler.ts';
import { readSystemIds, type SystemId } from './system-id-rows.ts';

/** Time for which parts wait for the missing ones. */
const PATIENCE = '10 minutes';
/** Age after which a complete message is taken over: its process died, or could not hand it in. */
const LEFT = `${HAND_IN_SECONDS} seconds`;
const LIMIT = 500;

interface LongRow {
  id: number;
  smpp_system_id_id: number;
  total: number;
  recipient: string;
  envelope: Envelope;
  overdue: boolean;
  parts: number;
  /** True if it was handed in, and only its parts are left. */
  known: boolean;
}

const overdue = (now: string) =>
  `(l.key IS NULL AND l.received_at < ${now} - interval '${LEFT}') OR l.received_at < ${now} - interval '${PATIENCE}'`;

/** Sign that a sweep is due before the next look. */
export const LEFT_OVER = `EXISTS (SELECT FROM smpp_long_message l WHERE ${overdue(SOON)})`;

const FIND = `
  SELECT l.id, l.smpp_system_id_id, l.total, l.recipient, l.envelope, l.received_at < now() - interval '${PATIENCE}' AS overdue,
    (SELECT count(*) FROM smpp_part p WHERE p.smpp_long_message_id = l.id) AS parts,
    EXISTS (SELECT FROM program_message m JOIN smpp_system_id s ON s.id = l.smpp_system_id_id
      WHERE m.user_id = s.user_id AND m.client_ref = l.id::text) AS known
  FROM smpp_long_message l
  WHERE ${overdue('now()')}
  ORDER BY l.received_at LIMIT ${LIMIT} FOR NO KEY UPDATE OF l SKIP LOCKED`;

const READ = `
  SELECT smpp_long_message_id AS id, number, body, data_coding, udh_octets, registered_delivery FROM smpp_part
  WHERE smpp_long_message_id = ANY ($1) ORDER BY smpp_long_message_id, number`;

/** Deletes long messages with their parts; false if all were deleted before. */
export async function endLongMessages(db: pg.Pool | pg.ClientBase, ids: readonly number[]): Promise<boolean> {
  const { rowCount } = await db.query('DELETE FROM smpp_long_message WHERE id = ANY ($1::bigint[])', [ids]);
  return rowCount! > 0;
}

/**
 * Deletes a long message that never became a message, in the transaction of `client`. Adds its receipt if one was
 * requested. If several processes try, only one does it.
 */
async function endInFailure(
  client: pg.ClientBase,
  { id, recipient, envelope }: Pick<WholeMessage, 'id' | 'recipient' | 'envelope'>,
  rules: SystemId,
  state: 'rejected' | 'expired',
): Promise<void> {
  if (!(await endLongMessages(client, [id]))) return;
  const now = Date.now();
  const receipt: NewDelivery = {
    corporation_id: rules.corporation_id,
    smpp_system_id_id: rules.id,
    message_id: id,
    state,
    error: null,
    source: recipient,
    destination: envelope.from,
    text: '',
    is_binary: false,
    submitted_at: now,
    done_at: now,
  };
  if (wantsReceipt(envelope.registered_delivery, false)) await addDeliveries(client, [receipt]);
}

/** Ends a long message that was refused once it was complete. */
export const refuseLongMessage = (pool: pg.Pool, whole: WholeMessage, rules: SystemId): Promise<void> =>
  inTransaction(pool, (client) => endInFailure(client, whole, rules, 'rejected'));

/**
 * Hands in long messages that a process left when it died, and ends those with parts that did not come. Any number of
 * processes may run it side by side.
 */
export async function sweepLongMessages(pool: pg.Pool, intake: Pick<Intake, 'accept'>, log: Logger): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<LongRow>(FIND);
    const systemIds = await readSystemIds(
      client,
      rows.map((row) => row.smpp_system_id_id),
    );
    const rules = new Map(systemIds.map((each) => [each.id, each]));
    const parts = Map.groupBy((await client.query<PartRow>(READ, [rows.map(({ id }) => id)])).rows, ({ id }) => id);
    for (const row of rows) {
      const of = rules.get(row.smpp_system_id_id)!;
      const whole = wholeOf(row, parts.get(row.id) ?? []);
      if (row.known) await endLongMessages(client, [row.id]);
      else if (row.parts === row.total && !(await isHandedIn(client, intake, whole, of, log))) continue;
      else if (row.parts < row.total && row.overdue) await endInFailure(client, whole, of, 'expired');
    }
  });
}

/** Answers false if it must be tried again. */
async function isHandedIn(
  client: pg.ClientBase,
  intake: Pick<Intake, 'accept'>,
  whole: WholeMessage,
  rules: SystemId,
  log: Logger,
): Promise<boolean> {
  try {
    const { program } = new Customer(rules);
    if (!program) throw new BusinessError('billing_account_missing');
    const text = joinParts(whole.parts, rules);
    const { validity_minutes } = whole.envelope;
    const envelope =
      validity_minutes === undefined
        ? whole.envelope
        : { ...whole.envelope, validity_minutes: Math.min(rules.most_minutes, validity_minutes) };
    const submission = submissionOf(envelope, whole.recipient, text, whole.id);
    await intake.accept(program, { ...submission, once: { before: Number.POSITIVE_INFINITY } });
    await endLongMessages(client, [whole.id]);
    return true;
  } catch (error) {
    if (isPassing(error)) return false;
    if (wasHandedIn(error)) await endLongMessages(client, [whole.id]);
    else if (error instanceof BusinessError || error instanceof Refusal) {
      log.info({ reason: error.message }, 'long message refused');
      await endInFailure(client, whole, rules, 'rejected');
    } else throw error;
    return true;
  }
}
