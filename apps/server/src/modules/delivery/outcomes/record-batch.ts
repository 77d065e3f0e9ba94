import type pg from 'pg';
import { failpoint } from '#platform/failpoints';
import { numberArray, textArray } from '../array-literal.ts';
import { dayOf } from '../message-id.ts';
import { together } from '../postgres-session.ts';
import { type Message, type Segment, WHOLE } from '../segment.ts';
import { applyDeltas, type CampaignCounters } from './apply-deltas.ts';
import { correctOutcomes } from './correct-outcomes.ts';
import { Deltas, type FinalState } from './deltas.ts';
import {
  type Adoption,
  type Ending,
  type Entry,
  errorCode,
  finalState,
  type IncomingReceipt,
  type Retry,
  type Submission,
} from './entry.ts';
import { findSegments, partsSeen } from './find-segments.ts';
import { insertOutcomes, insertReceipts, insertSubmissions, signed } from './insert-rows.ts';

const UNIQUE_VIOLATION = '23505';

const ADOPT = {
  name: 'adopt-receipts',
  text: `
    UPDATE receipt r SET message_id = u.message_id, part = u.part
    FROM unnest($1::float8[], $2::bigint[], $3::text[], $4::bigint[], $5::smallint[])
      AS u(at, link_id, carrier_id, message_id, part)
    WHERE r.received_at = to_timestamp(u.at / 1000) AND r.link_id = u.link_id AND r.carrier_id = u.carrier_id
      AND r.message_id IS NULL`,
};

const ADD_RETRIES = {
  name: 'add-retries',
  text: `
    INSERT INTO retry (message_id, part, corporation_id, link_id, class, tries, not_before, command_status, reference)
    SELECT u.message_id, u.part, u.corporation_id, u.link_id, u.class, u.tries, to_timestamp(u.at / 1000), u.command_status, u.reference
    FROM unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::bigint[], $5::message_class[], $6::integer[], $7::float8[],
      $8::integer[], $9::smallint[]) AS u(message_id, part, corporation_id, link_id, class, tries, at, command_status, reference)
    ON CONFLICT DO NOTHING`,
};

const END_RETRIES = {
  name: 'end-retries',
  text: 'DELETE FROM retry r USING unnest($1::bigint[], $2::smallint[]) AS u(message_id, part) WHERE r.message_id = u.message_id AND r.part = u.part',
};

interface Endings {
  endings: Ending[];
  /** Of messages that may have ended before: their receipt was looked up, or came while another was being recorded. */
  doubtful: Ending[];
  /** Messages in several parts that have a new final receipt. */
  inParts: Map<number, Pick<Ending, 'message' | 'at'>>;
  /** Messages that had their end before, and were reported on again. */
  again: Map<number, Message>;
}

interface Batch {
  submissions: Submission[];
  receipts: IncomingReceipt[];
  adoptions: Adoption[];
  retries: Retry[];
}

function sorted(entries: readonly Entry[]): Batch {
  const batch: Batch = { submissions: [], receipts: [], adoptions: [], retries: [] };
  for (const entry of entries) {
    if (entry.kind === 'submission') batch.submissions.push(entry);
    else if (entry.kind === 'receipt') batch.receipts.push(entry);
    else if (entry.kind === 'adoption') batch.adoptions.push(entry);
    else batch.retries.push(entry);
  }
  return batch;
}

/**
 * Records a batch in one transaction: submissions, receipts, outcomes, retries, and what they mean for counters,
 * statistics and money. Only rows that are new count, so the same batch may come again. Answers the counters of the
 * campaigns it touched. Throws after rolling back.
 */
export async function recordBatch(
  client: pg.Client,
  entries: readonly Entry[],
  cause: string,
): Promise<CampaignCounters[]> {
  const batch = sorted(entries);
  const unknown = batch.receipts.filter((r) => !r.segment && r.carrier_id !== '');
  if (unknown.length > 0) await findSegments(client, unknown);
  const endings = endingsOf(batch);
  const write = (careful: boolean) => transaction(client, batch, endings, cause, careful);
  try {
    return await write(false).catch((error) => {
      if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
      return write(true);
    });
  } catch (error) {
    for (const { message } of endings.endings) if (message.ended === 'soon') message.ended = false;
    throw error;
  }
}

/** Whether one receipt tells of all of it. */
const inOnePdu = ({ parts, reference }: Message): boolean => parts === 1 || reference === WHOLE;

/** The ends that a batch brings; receipts that are recorded with one leave the batch's own list. */
function endingsOf(batch: Batch): Endings {
  const endings: Ending[] = [];
  const doubtful: Ending[] = [];
  const inParts: Endings['inParts'] = new Map();
  const again: Endings['again'] = new Map();
  const others: IncomingReceipt[] = [];
  for (const { segment, end, at } of batch.submissions) {
    if (!end) continue;
    segment.message.ended ||= 'soon';
    endings.push({ message: segment.message, ...end, at });
  }
  for (const receipt of batch.receipts) {
    const { segment, state, error, at } = receipt;
    const final = segment && finalState(state);
    if (final && segment.message.ended === false && inOnePdu(segment.message) && !receipt.looked_up) {
      const { message } = segment;
      message.ended = 'soon';
      endings.push({ message, state: final, error: errorCode(state, error), at, receipt });
      continue;
    }
    others.push(receipt);
    if (final) doubt(receipt, segment, final);
  }
  for (const adoption of batch.adoptions) {
    const final = finalState(adoption.state);
    if (final) doubt(adoption, adoption.segment, final);
  }
  batch.receipts = others;
  return { endings, doubtful, inParts, again };

  function doubt({ state, error, at }: IncomingReceipt | Adoption, { message }: Segment, final: FinalState): void {
    if (message.ended === true) again.set(message.id, message);
    else if (inOnePdu(message)) doubtful.push({ message, state: final, error: errorCode(state, error), at });
    else inParts.set(message.id, { message, at });
  }
}

async function transaction(
  client: pg.Client,
  batch: Batch,
  { endings, doubtful, inParts, again }: Endings,
  cause: string,
  careful: boolean,
): Promise<CampaignCounters[]> {
  const deltas = new Deltas();
  let complete: Ending[] = [];
  try {
    failpoint('outcomes.before-rows');
    const begun = client.query('BEGIN');
    const rows = together([
      begun,
      ...sideWrites(client, batch),
      insertRows(client, batch, endings, deltas, careful, again),
    ]);
    if (!careful && doubtful.length + inParts.size + again.size === 0) {
      // The usual batch is known to the last row before it is written: its sums follow without waiting for the rows.
      const [, counters] = await together([rows, applyDeltas(client, deltas, cause)]);
      for (const { message } of endings) message.ended = true;
      return counters;
    }
    await rows;
    if (doubtful.length > 0) await insertRows(client, NOTHING, doubtful, deltas, true, again);
    if (inParts.size > 0) {
      const since = dayOf(Math.min(...inParts.keys()));
      const seen = await partsSeen(client, [...inParts.keys()], since);
      complete = [...inParts.values()].flatMap(({ message, at }): Ending[] => {
        const parts = seen.get(message.id);
        const state = parts?.parts === message.parts && finalState(parts.worst_state);
        return state ? [{ message, state, error: errorCode(parts.worst_state, parts.worst_error), at }] : [];
      });
      // A part that was refused has ended the message already, so here duplicates are nothing rare.
      if (complete.length > 0) await insertRows(client, NOTHING, complete, deltas, true, again);
    }
    if (again.size > 0) await correctOutcomes(client, again, deltas);
    const counters = await applyDeltas(client, deltas, cause);
    for (const { message } of [...endings, ...doubtful, ...complete]) message.ended = true;
    return counters;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

const NOTHING: Batch = { submissions: [], receipts: [], adoptions: [], retries: [] };

function sideWrites(client: pg.Client, { adoptions, retries, submissions }: Batch): Promise<unknown>[] {
  const writes: Promise<unknown>[] = [];
  if (adoptions.length > 0) {
    const values = [
      numberArray(adoptions.map((a) => a.at)),
      numberArray(adoptions.map((a) => a.link_id)),
      textArray(adoptions.map((a) => a.carrier_id)),
      numberArray(adoptions.map((a) => a.segment.message.id)),
      numberArray(adoptions.map((a) => a.segment.part)),
    ];
    writes.push(client.query({ ...ADOPT, values }));
  }
  if (retries.length > 0) {
    const values = [
      numberArray(retries.map((r) => r.segment.message.id)),
      numberArray(retries.map((r) => r.segment.part)),
      numberArray(retries.map((r) => r.segment.message.chunk.corporation_id)),
      numberArray(retries.map((r) => r.link_id)),
      textArray(retries.map((r) => r.segment.message.chunk.class)),
      numberArray(retries.map((r) => r.segment.tries)),
      numberArray(retries.map((r) => r.not_before)),
      numberArray(retries.map((r) => signed(r.command_status))),
      numberArray(retries.map((r) => r.segment.message.reference)),
    ];
    writes.push(client.query({ ...ADD_RETRIES, values }));
  }
  const ended = submissions.filter((s) => s.from_retry);
  if (ended.length > 0) {
    const values = [numberArray(ended.map((s) => s.segment.message.id)), numberArray(ended.map((s) => s.segment.part))];
    writes.push(client.query({ ...END_RETRIES, values }));
  }
  return writes;
}

/** Inserts the rows and adds those that are new to the deltas; messages whose end stood before go into `again`. */
async function insertRows(
  client: pg.Client,
  { submissions, receipts }: Batch,
  endings: readonly Ending[],
  deltas: Deltas,
  careful: boolean,
  again: Endings['again'],
): Promise<void> {
  const written = together([
    submissions.length > 0 ? insertSubmissions(client, submissions, careful) : undefined,
    endings.length > 0 ? insertOutcomes(client, endings, careful) : undefined,
    receipts.length > 0 ? insertReceipts(client, receipts) : undefined,
  ]);
  if (!careful) {
    for (const { segment, command_status, at } of submissions)
      deltas.submission(segment.message, segment.part, command_status === 0, at);
    for (const { message, state, at } of endings) deltas.outcome(message, state, at);
    await written;
    return;
  }
  const [newSubmissions, newOutcomes] = await written;
  const second = endings.flatMap(({ message, receipt }) =>
    receipt && !newOutcomes?.has(String(message.id)) ? [receipt] : [],
  );
  // The message had ended before, so its row has no place for this receipt.
  if (second.length > 0) await insertReceipts(client, second);
  for (const { segment, command_status, at } of submissions) {
    const { message, part } = segment;
    if (newSubmissions?.delete(`${message.id}/${part}`)) {
      deltas.submission(message, part, command_status === 0, at);
    }
  }
  for (const { message, state, at } of endings) {
    if (newOutcomes?.delete(String(message.id))) deltas.outcome(message, state, at);
    else again.set(message.id, message);
  }
}
