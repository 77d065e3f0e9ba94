import { type Kysely, sql } from 'kysely';
import { optIns } from '#modules/contacts';
import type { Database } from '#platform/database/db';
import { type Queryable, rowsOf } from '#platform/database/queryable';

/** Lists and corporations whose recipients must have opted in. */
export interface ConsentRule {
  /** True if every commercial message of the corporation needs it. */
  everybody: boolean;
  /** Names of lists that need it. */
  lists: ReadonlySet<string>;
}

/** Reads whether a campaign needs consent; null if nothing asks for it. */
export async function consentRule(
  db: Kysely<Database>,
  corporationId: number,
  listIds: readonly number[],
): Promise<ConsentRule | null> {
  const { requires_consent } = await db
    .selectFrom('corporation')
    .select('requires_consent')
    .where('id', '=', corporationId)
    .executeTakeFirstOrThrow();
  const lists =
    listIds.length === 0
      ? []
      : await db
          .selectFrom('number_list')
          .select('name')
          .where('id', 'in', [...listIds])
          .where('requires_consent', '=', true)
          .execute();
  if (!requires_consent && lists.length === 0) return null;
  return { everybody: requires_consent, lists: new Set(lists.map(({ name }) => name)) };
}

/** Recipient of a sender ID of a corporation. */
interface Asked {
  corporation_id: number;
  sender_id_id: number;
  number: string;
}

const CONSENTED = `
  SELECT a.place FROM unnest($1::bigint[], $2::text[], $3::bigint[]) WITH ORDINALITY AS a(corporation_id, number, sender, place)
  WHERE EXISTS (SELECT FROM consent c WHERE c.corporation_id = a.corporation_id AND c.number = a.number
    AND c.sender IN (0, a.sender) AND c.state = 'opt_in')`;

/** Returns for each recipient whether the person opted in to the sender ID or to all of its corporation. */
export async function consentedAmong(db: Queryable, asked: readonly Asked[]): Promise<boolean[]> {
  const found: boolean[] = new Array(asked.length).fill(false);
  if (asked.length === 0) return found;
  const rows = await rowsOf<{ place: number }>(db, CONSENTED, [
    asked.map((each) => each.corporation_id),
    asked.map((each) => each.number),
    asked.map((each) => each.sender_id_id),
  ]);
  for (const { place } of rows) found[place - 1] = true;
  return found;
}

/** Words by which a phone confirms an opt-in, in all languages, folded. */
const YES: ReadonlySet<string> = new Set(['yes', 'y', 'oo', 'opo', 'oo po', '是', '好', '同意', '確認', '确认']);
/** Days in which an answer confirms a question. */
const ANSWER_DAYS = 30;

/** Text of a phone to a corporation; `whole` is folded, with single spaces. */
export interface Reply {
  corporation_id: number;
  number: string;
  whole: string;
  text: string;
  inbound_message_id: number;
  at: Date;
}

/**
 * Stores opt-ins of phones that were asked and reply YES, with their messages as proof. It is the person's own act, so
 * an opt-in to all senders ends an opt-out too.
 */
export async function confirmConsents(db: Kysely<Database>, replies: readonly Reply[]): Promise<void> {
  const yes = replies.filter(({ whole }) => YES.has(whole));
  if (yes.length === 0) return;
  const rows = JSON.stringify(yes.map(({ whole: _, ...reply }) => reply));
  const { rows: confirmed } = await sql<{
    corporation_id: number;
    number: string;
    sender_id_id: number | null;
    inbound_message_id: number;
  }>`
    INSERT INTO consent_event (corporation_id, number, sender_id_id, kind, source, wording, proof, inbound_message_id, happened_at)
    SELECT r.corporation_id, r.number, nullif(c.sender, 0), 'opt_in', 'keyword', (
        SELECT wording FROM consent_event e WHERE e.corporation_id = c.corporation_id AND e.number = c.number
          AND coalesce(e.sender_id_id, 0) = c.sender AND e.kind = 'asked' AND e.retracted_at IS NULL
        ORDER BY e.happened_at DESC, e.id DESC LIMIT 1
      ), r.text, r.inbound_message_id, r.at
    FROM jsonb_to_recordset(${rows}::jsonb)
      AS r(corporation_id bigint, number text, text text, inbound_message_id bigint, at timestamptz)
    JOIN consent c ON c.corporation_id = r.corporation_id AND c.number = r.number AND c.state = 'asked'
      AND c.since BETWEEN r.at - make_interval(days => ${ANSWER_DAYS}) AND r.at
    RETURNING corporation_id, number, sender_id_id, inbound_message_id`.execute(db);
  const byId = new Map(yes.map((reply) => [reply.inbound_message_id, reply]));
  const ended = new Map(
    confirmed.flatMap(({ sender_id_id, inbound_message_id }) => {
      const reply = byId.get(inbound_message_id);
      return sender_id_id === null && reply ? [[`${reply.corporation_id} ${reply.number}`, reply] as const] : [];
    }),
  );
  await optIns(
    db,
    [...ended.values()].map(({ corporation_id, number, at, text, inbound_message_id }) => ({
      corporation_id,
      number,
      at,
      message: text,
      inbound_message_id,
    })),
  );
}
