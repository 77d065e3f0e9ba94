import { booleanArray, numberArray, plainArray, textArray } from '#platform/database/array-literal';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { failpoint } from '#platform/failpoints';
import { sealText } from '#platform/text/sealed-text';
import type { ChunkShared, NewMessage } from './chunk.ts';
import { messageId } from './message-id.ts';

/** A chunk to be written. */
interface PlannedChunk {
  /** Id that was drawn for it; left out, it is drawn with the statement. */
  id?: number;
  shared: ChunkShared;
  messages: readonly NewMessage[];
}

/** Number of messages from which a chunk gets its own statement. */
const LARGE = 100;

/** Columns of a chunk, except its id and state. */
const COLUMNS = {
  corporation_id: 'bigint',
  department_id: 'bigint',
  user_id: 'bigint',
  billing_account_id: 'bigint',
  campaign_id: 'bigint',
  link_id: 'bigint',
  class: 'message_class',
  sender_id: 'text',
  flash: 'boolean',
  charge_on_delivery: 'boolean',
  common_text: 'text',
  expires_at: 'timestamptz',
  size: 'integer',
  carrier_route_id: 'bigint',
  channel: 'text',
  reseller_account_id: 'bigint',
  reseller_corporation_id: 'bigint',
  reseller_unit_price: 'bigint',
  reseller_charge_on_delivery: 'boolean',
  quiet_zone: 'text',
  after_canary: 'boolean',
  confirms_opt_out: 'boolean',
  tells: 'boolean',
  not_before: 'timestamptz',
  parameters: 'jsonb',
  ported: 'bigint[]',
} as const;

type ChunkRow = Record<keyof typeof COLUMNS, string | number | boolean | object | null>;

const names = Object.keys(COLUMNS);
/** Columns that the statement completes. */
const COMPLETED: Readonly<Record<string, string>> = {
  tells: 'coalesce(tells, anybody_is_told(corporation_id, department_id))',
  parameters: 'message_parameters(corporation_id, sender_id, parameters)',
};
const given = names.map((name) => COMPLETED[name] ?? name);
const typed = Object.entries(COLUMNS).map(([name, type]) => `${name} ${type}`);

// Chunk ids are there first, because message ids follow from them; all rows go in one statement. COPY is impossible:
// PostgreSQL refuses it on tables with row level security.
const CHUNKS = `
  WITH n AS MATERIALIZED (
    SELECT coalesce(c.drawn, next_chunk_id()) AS id, c.* FROM jsonb_to_recordset($1) AS c(nth integer, drawn bigint, held boolean, ${typed.join()})
  ), k AS (
    INSERT INTO chunk (id, ${names.join()}, state)
    SELECT id, ${given.join()}, CASE WHEN not_before IS NULL AND NOT held THEN 'open' ELSE 'held' END FROM n
  )`;
const MESSAGES = `
    INSERT INTO message (id, corporation_id, campaign_id, unit_price, parts, unicode, msisdn, name, text)
    SELECT (n.id << 10) + m.place, n.corporation_id, n.campaign_id, m.unit_price, m.parts, m.unicode, m.msisdn, m.name, m.text`;
const VALUES = `unnest($2::bigint[]) AS unit_price, unnest($3::smallint[]) AS parts, unnest($4::boolean[]) AS unicode,
        unnest($5::text[]) AS msisdn, unnest($6::text[]) AS name, unnest($7::text[]) AS text`;

// Arrays are unnested in the select list, in step, so that none is stored first.
const INSERT_CHUNK = `${CHUNKS}, inserted AS (${MESSAGES}
    FROM n CROSS JOIN (SELECT generate_series(0, $8 - 1) AS place, ${VALUES}) m
  )
  SELECT id FROM n`;

const INSERT_CHUNKS = `${CHUNKS}, inserted AS (${MESSAGES}
    FROM n JOIN (
      SELECT unnest($8::integer[]) AS nth, unnest($9::integer[]) AS place, ${VALUES}
    ) m USING (nth)
  )
  SELECT id FROM n ORDER BY nth`;

const rowOf = ({ id, shared, messages }: PlannedChunk): ChunkRow & { held: boolean; drawn: number | null } => ({
  drawn: id ?? null,
  held: shared.held ?? false,
  corporation_id: shared.corporation_id,
  department_id: shared.department_id,
  user_id: shared.user_id,
  billing_account_id: shared.billing_account_id,
  campaign_id: shared.campaign_id,
  link_id: shared.link_id,
  class: shared.class,
  sender_id: shared.sender_id,
  flash: shared.flash,
  charge_on_delivery: shared.charge_on_delivery,
  common_text: shared.common_text,
  expires_at: shared.expires_at ?? null,
  size: messages.length,
  carrier_route_id: shared.carrier_route_id ?? null,
  channel: shared.channel ?? 'console',
  reseller_account_id: shared.reseller?.billing_account_id ?? null,
  reseller_corporation_id: shared.reseller?.corporation_id ?? null,
  reseller_unit_price: shared.reseller?.unit_price ?? null,
  reseller_charge_on_delivery: shared.reseller?.charge_on_delivery ?? null,
  quiet_zone: shared.quiet_zone ?? null,
  after_canary: shared.after_canary ?? false,
  confirms_opt_out: shared.confirms_opt_out ?? false,
  tells: shared.tells ?? null,
  not_before: shared.not_before ?? null,
  parameters: shared.parameters ?? null,
  ported: portedOf(messages),
});

/** Returns places and networks of the messages that were ported, in turn; null without any. */
function portedOf(messages: readonly NewMessage[]): number[] | null {
  const ported = messages.flatMap(({ ported }, place) => (ported === undefined ? [] : [place, ported]));
  return ported.length > 0 ? ported : null;
}

const valuesOf = (messages: readonly NewMessage[]): string[] => [
  numberArray(messages.map((m) => m.unit_price)),
  numberArray(messages.map((m) => m.parts)),
  booleanArray(messages.map((m) => m.unicode)),
  plainArray(messages.map((m) => m.msisdn)),
  textArray(messages.map((m) => m.name)),
  textArray(messages.map((m) => m.text)),
];

/** Writes messages as one chunk within the caller's transaction and answers its id. */
export async function insertChunk(
  db: Queryable,
  shared: ChunkShared,
  messages: readonly NewMessage[],
): Promise<number> {
  const [id] = await insertOne(db, shared.text_key ? await sealed(db, { shared, messages }) : { shared, messages });
  return id!;
}

/** Encrypts the texts of a chunk for their places, and draws its id before that if it has none. */
async function sealed(db: Queryable, { id, shared, messages }: PlannedChunk): Promise<PlannedChunk & { id: number }> {
  const chunkId = id ?? (await rowsOf<{ id: number }>(db, 'SELECT next_chunk_id() AS id'))[0]!.id;
  return withSealed({ id: Number(chunkId), shared, messages });
}

/** Encrypts the texts of a chunk with a drawn id, if there is a key for them. */
function withSealed(chunk: PlannedChunk & { id: number }): PlannedChunk & { id: number } {
  const { id, shared, messages } = chunk;
  const { text_key: key, common_text } = shared;
  if (!key) return chunk;
  return {
    id,
    shared: { ...shared, common_text: common_text === null ? null : sealText(key, `c${id}`, common_text) },
    messages: messages.map((message, place) =>
      message.text === null ? message : { ...message, text: sealText(key, `m${messageId(id, place)}`, message.text) },
    ),
  };
}

function insertOne(db: Queryable, chunk: PlannedChunk): Promise<number[]> {
  const rows = JSON.stringify([{ nth: 0, ...rowOf(chunk) }]);
  return idsOf(db, INSERT_CHUNK, [rows, ...valuesOf(chunk.messages), chunk.messages.length]);
}

/**
 * Sends the statements that write chunks with drawn ids in the caller's transaction. Small chunks go together in one.
 * Resolves when all are written.
 */
export async function insertChunks(db: Queryable, planned: readonly (PlannedChunk & { id: number })[]): Promise<void> {
  const chunks = planned.some(({ shared }) => shared.text_key) ? planned.map(withSealed) : planned;
  const small = chunks.filter(({ messages }) => messages.length < LARGE);
  const together = small.length > 1 ? small : [];
  const statements = chunks.filter((chunk) => !together.includes(chunk)).map((chunk) => insertOne(db, chunk));
  if (together.length > 0) statements.push(insertTogether(db, together));
  await Promise.all(statements);
}

function insertTogether(db: Queryable, chunks: readonly PlannedChunk[]): Promise<number[]> {
  const all = chunks.flatMap(({ messages }, nth) => messages.map((message, place) => ({ nth, place, ...message })));
  return idsOf(db, INSERT_CHUNKS, [
    JSON.stringify(chunks.map((chunk, nth) => ({ nth, ...rowOf(chunk) }))),
    ...valuesOf(all),
    numberArray(all.map((m) => m.nth)),
    numberArray(all.map((m) => m.place)),
  ]);
}

async function idsOf(db: Queryable, statement: string, values: readonly unknown[]): Promise<number[]> {
  const rows = await rowsOf<{ id: number | string }>(db, statement, values);
  failpoint('chunk.written');
  return rows.map(({ id }) => Number(id));
}
