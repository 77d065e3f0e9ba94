import { plainDigits } from '@heliograph/contract/kernel/number-rules';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { numberDigest } from '#platform/person/number-digest';

/** Opt-out of a person from a corporation's messages, with its proof. */
export interface OptOut {
  corporation_id: number;
  /** The MSISDN; a + or 00 before it is removed. */
  number: string;
  /** Source of the opt-out: the person's own message, a colleague who entered it, or a file. */
  source: 'message' | 'person' | 'import';
  /** Time at which the person opted out. */
  at: Date;
  /** Sender ID of the keyword. The opt-out still applies to all senders of the corporation. */
  sender_id_id?: number | null;
  /** Short code, number or sender ID that the person answered. */
  recipient?: string | null;
  /** Word that was recognized. */
  keyword?: string | null;
  /** Whole text as it arrived. */
  message?: string | null;
  inbound_message_id?: number | null;
  /** User who entered or imported it. */
  user_id?: number | null;
  note?: string | null;
}

/** Opt-in of a person who wants messages of a corporation again. */
export interface OptIn {
  corporation_id: number;
  number: string;
  at: Date;
  message?: string | null;
  inbound_message_id?: number | null;
}

const STORE = `
  INSERT INTO opt_out (corporation_id, number, source, opted_out_at, sender_id_id, recipient, keyword, message,
    inbound_message_id, user_id, note)
  SELECT corporation_id, number, source, at, sender_id_id, recipient, keyword, message, inbound_message_id, user_id, note
  FROM jsonb_to_recordset($1::jsonb) AS w(corporation_id bigint, number text, source text, at timestamptz, sender_id_id bigint,
    recipient text, keyword text, message text, inbound_message_id bigint, user_id bigint, note text)
  ON CONFLICT (corporation_id, number) WHERE ended_at IS NULL DO NOTHING
  RETURNING corporation_id, number`;

const END = `
  UPDATE opt_out o SET ended_at = w.at, ended_message = w.message, ended_inbound_message_id = w.inbound_message_id,
    changed_in = pg_current_xact_id()
  FROM jsonb_to_recordset($1::jsonb) AS w(corporation_id bigint, number text, at timestamptz, message text, inbound_message_id bigint)
  WHERE o.corporation_id = w.corporation_id AND o.number = w.number AND o.ended_at IS NULL
  RETURNING o.corporation_id, o.number`;

/** Returns the number as opt-outs store it: digits in international format. */
const kept = (number: string) => plainDigits(number) ?? number;

/**
 * Stores opt-outs. The first one counts, and repeating it changes nothing. Returns for each if it is new. Each must
 * have another number or another corporation. Senders respect an opt-out within a second of the commit. Works within
 * the caller's transaction.
 */
export const optOuts = (db: Queryable, words: readonly OptOut[]): Promise<boolean[]> => change(db, STORE, words);

/**
 * Ends opt-outs at the request of the people; their proofs are kept. Returns false for each person who had not opted
 * out.
 */
export async function optIns(db: Queryable, words: readonly OptIn[]): Promise<boolean[]> {
  const ended = await change(db, END, words);
  const corporations = words.map(({ corporation_id }) => corporation_id);
  if (!(await holdsErased(db, corporations))) return ended;
  const digests = words.map(({ number }) => numberDigest(kept(number)));
  const rows = await rowsOf<{ corporation_id: number; digest: string }>(db, END_ERASED, [corporations, digests]);
  return ended.map(
    (is, at) => is || rows.some((row) => row.corporation_id === corporations[at] && row.digest === digests[at]),
  );
}

const END_ERASED = `
  UPDATE erased_stop e SET ended_at = now(), changed_in = pg_current_xact_id()
  FROM unnest($1::bigint[], $2::text[]) AS w(corporation_id, digest)
  WHERE e.corporation_id = w.corporation_id AND e.digest = w.digest AND e.kind = 'opt_out' AND e.ended_at IS NULL
  RETURNING e.corporation_id, e.digest`;

/** Tells whether one of the corporations has opt-outs of people whose records were erased. */
async function holdsErased(db: Queryable, corporations: readonly number[]): Promise<boolean> {
  const rows = await rowsOf(
    db,
    "SELECT FROM erased_stop WHERE corporation_id = ANY ($1) AND kind = 'opt_out' AND ended_at IS NULL LIMIT 1",
    [[...corporations]],
  );
  return rows.length > 0;
}

async function change(db: Queryable, text: string, words: readonly (OptIn | OptOut)[]): Promise<boolean[]> {
  if (words.length === 0) return [];
  const told = words.map((word) => ({ ...word, number: kept(word.number) }));
  const rows = await rowsOf<{ corporation_id: number; number: string }>(db, text, [JSON.stringify(told)]);
  const changed = new Set(rows.map(({ corporation_id, number }) => `${corporation_id} ${number}`));
  return told.map(({ corporation_id, number }) => changed.has(`${corporation_id} ${number}`));
}

/** Stores one opt-out, as `optOuts` does. */
export const optOut = async (db: Queryable, word: OptOut): Promise<boolean> => (await optOuts(db, [word]))[0]!;

/** Ends one opt-out, as `optIns` does. */
export const optIn = async (db: Queryable, word: OptIn): Promise<boolean> => (await optIns(db, [word]))[0]!;

/** Returns those of the numbers, in the form of lists, that have opted out of a corporation's messages. */
export async function optedOut(db: Queryable, corporationId: number, numbers: readonly string[]): Promise<Set<string>> {
  if (numbers.length === 0) return new Set();
  const rows = await rowsOf<{ number: string }>(
    db,
    'SELECT number FROM opt_out WHERE corporation_id = $1 AND number = ANY ($2::text[]) AND ended_at IS NULL',
    [corporationId, [...numbers]],
  );
  const out = new Set(rows.map(({ number }) => number));
  if (!(await holdsErased(db, [corporationId]))) return out;
  const digests = new Map(numbers.map((number) => [numberDigest(number), number]));
  const erased = await rowsOf<{ digest: string }>(
    db,
    "SELECT digest FROM erased_stop WHERE corporation_id = $1 AND digest = ANY ($2) AND kind = 'opt_out' AND ended_at IS NULL",
    [corporationId, [...digests.keys()]],
  );
  for (const { digest } of erased) out.add(digests.get(digest)!);
  return out;
}
