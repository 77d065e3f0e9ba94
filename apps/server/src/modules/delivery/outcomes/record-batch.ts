import { unreachable } from '@heliograph/contract/kernel/unreachable';
import type pg from 'pg';
import { numberArray, textArray } from '#platform/database/array-literal';
import { failpoint } from '#platform/failpoints';
import { dayOf } from '../message-id.ts';
import { together } from '../postgres-session.ts';
import { type Message, WHOLE } from '../segment.ts';
import { applyDeltas } from './apply-deltas.ts';
import { type Attempt, enterAttempt } from './attempt.ts';
import { ChunkStates } from './chunk-states.ts';
import {
  isPlainAnswer,
  isPlainReceipt,
  type PlainAnswer,
  type PlainReceipt,
  packAnswers,
  packReceipts,
} from './compact-outcomes.ts';
import { correctOutcomes } from './correct-outcomes.ts';
import { Deltas } from './deltas.ts';
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
import { answeredParts, findOwners, partsSeen } from './find-segments.ts';
import { insertOutcomes, insertReceipts, insertSubmissions, signed } from './insert-rows.ts';

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
    SELECT u.message_id, u.part, u.corporation_id, u.link_id, u.class, u.tries, now() + u.wait * interval '1 millisecond', u.command_status, u.reference
    FROM unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::bigint[], $5::message_class[], $6::integer[], $7::float8[],
      $8::integer[], $9::smallint[]) AS u(message_id, part, corporation_id, link_id, class, tries, wait, command_status, reference)
    ON CONFLICT DO NOTHING`,
};

const END_RETRIES = {
  name: 'end-retries',
  text: 'DELETE FROM retry r USING unnest($1::bigint[], $2::smallint[]) AS u(message_id, part) WHERE r.message_id = u.message_id AND r.part = u.part',
};

interface Batch {
  submissions: Submission[];
  receipts: IncomingReceipt[];
  adoptions: Adoption[];
  retries: Retry[];
}

function sorted(entries: readonly Entry[]): Batch {
  const batch: Batch = { submissions: [], receipts: [], adoptions: [], retries: [] };
  for (const entry of entries) {
    switch (entry.kind) {
      case 'submission':
        batch.submissions.push(entry);
        break;
      case 'receipt':
        batch.receipts.push(entry);
        break;
      case 'adoption':
        batch.adoptions.push(entry);
        break;
      case 'retry':
        batch.retries.push(entry);
        break;
      default:
        unreachable(entry);
    }
  }
  return batch;
}

/** New rows of a batch, after comparison with those that exist. */
interface Additions {
  answers: PlainAnswer[];
  /** Other answers, each with its own row. */
  submissions: Submission[];
  delivered: PlainReceipt[];
  /** Other outcomes, each with its own row. */
  endings: Ending[];
  /** Receipts with their own row: those that bring no outcome. */
  receipts: IncomingReceipt[];
  /** Multipart messages that have a new final receipt. */
  inParts: Map<number, Pick<Ending, 'message' | 'at'>>;
  /** Messages that ended before and got another report. */
  again: Map<number, Message>;
}

/**
 * Records a batch in one transaction: submissions, receipts, outcomes, retries, and their effects on counters,
 * statistics and money. Only new entries count, so the same batch may come again with the same `attempt`. `attempt`
 * tells whether retries were committed before, and may have been taken since. Answers the ids of the campaigns it
 * touched. Throws after rolling back.
 */
export async function recordBatch(
  client: pg.Client,
  entries: readonly Entry[],
  cause: string,
  attempt: Attempt = {},
): Promise<number[]> {
  const batch = sorted(entries);
  await findOwners(client, batch.receipts);
  try {
    failpoint('outcomes.before-rows');
    const [, states, answered] = await together([
      client.query('BEGIN'),
      ChunkStates.lock(client, messagesOf(batch)),
      answeredParts(client, batch.submissions),
      batch.retries.length > 0 && enterAttempt(client, attempt),
    ]);
    if (attempt.stands) batch.retries = [];
    return await record(client, batch, states, answered, cause);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

function* messagesOf({ submissions, receipts, adoptions }: Batch): Generator<Message> {
  for (const { segment } of submissions) yield segment.message;
  for (const { segment } of receipts) if (segment) yield segment.message;
  for (const { segment } of adoptions) yield segment.message;
}

/** Answers whether one receipt covers the whole message. */
const inOnePdu = ({ parts, reference }: Message): boolean => parts === 1 || reference === WHOLE;

async function record(
  client: pg.Client,
  batch: Batch,
  states: ChunkStates,
  answered: Set<string>,
  cause: string,
): Promise<number[]> {
  const deltas = new Deltas();
  const { answers, submissions, delivered, endings, receipts, inParts, again } = admit(batch, states, answered, deltas);
  const written = together([
    ...sideWrites(client, batch),
    packAnswers(client, answers),
    packReceipts(client, delivered),
    insertSubmissions(client, submissions),
    insertOutcomes(client, endings),
    insertReceipts(client, receipts),
  ]);
  if (inParts.size > 0) {
    await written;
    const seen = await partsSeen(client, [...inParts.keys()], dayOf(Math.min(...inParts.keys())));
    const complete = [...inParts.values()].flatMap(({ message, at }): Ending[] => {
      const parts = seen.get(message.id);
      const state = parts?.parts === message.parts && finalState(parts.worst_state);
      return state ? [{ message, state, error: errorCode(parts.worst_state, parts.worst_error), at }] : [];
    });
    // A refused part has ended the message already, so a second end is common here.
    const fresh = complete.filter((ending) => {
      if (states.end(ending.message, ending.state)) deltas.outcome(ending);
      else again.set(ending.message.id, ending.message);
      return !again.has(ending.message.id);
    });
    await insertOutcomes(client, fresh);
  }
  const stated = states.write(client);
  if (again.size > 0) {
    await together([written, stated]);
    await correctOutcomes(client, again, deltas);
  }
  // All rows of a usual batch are known before they are written, so its sums follow without waiting for the rows.
  const [, , campaigns] = await together([written, stated, applyDeltas(client, deltas, cause)]);
  // A retry means that the message has not left after all, which is news for its campaign.
  for (const { segment } of batch.retries) campaigns.push(...[segment.message.chunk.campaign_id ?? []].flat());
  return campaigns;
}

/** Separates new entries from existing ones, and adds the new ones to the deltas. */
function admit(batch: Batch, states: ChunkStates, answered: Set<string>, deltas: Deltas): Additions {
  const to: Additions = {
    answers: [],
    submissions: [],
    delivered: [],
    endings: [],
    receipts: [],
    inParts: new Map(),
    again: new Map(),
  };
  for (const submission of batch.submissions) {
    const { segment, command_status, at, end } = submission;
    const { message, part } = segment;
    const plain = isPlainAnswer(submission);
    if (message.parts === 1 ? states.answer(message, plain) : isFirst(answered, message.id, part)) {
      if (plain) to.answers.push(submission);
      else to.submissions.push(submission);
      deltas.submission(message, part, command_status === 0);
    }
    if (end) ends({ message, ...end, at });
  }
  // The first of contradicting receipts is the outcome and the last the correction, also if the first had to wait.
  const reports = [...batch.receipts, ...batch.adoptions];
  if (batch.adoptions.length > 0) reports.sort((a, b) => a.at - b.at);
  for (const report of reports) {
    const { segment, state, error, at } = report;
    const receipt = report.kind === 'receipt' ? report : undefined;
    const final = segment && finalState(state);
    if (!final || !inOnePdu(segment.message)) {
      if (receipt) to.receipts.push(receipt);
      if (final) to.inParts.set(segment.message.id, { message: segment.message, at });
      continue;
    }
    const ending = { message: segment.message, state: final, error: errorCode(state, error), at };
    // If the message had ended before, this receipt gets its own row.
    if (!ends(receipt ? { ...ending, receipt } : ending) && receipt) to.receipts.push(receipt);
  }
  return to;

  function ends(ending: Ending): boolean {
    const { message, state } = ending;
    if (!states.end(message, state)) {
      to.again.set(message.id, message);
      return false;
    }
    if (isPlainReceipt(ending)) to.delivered.push(ending);
    else to.endings.push(ending);
    deltas.outcome(ending);
    return true;
  }
}

function isFirst(answered: Set<string>, id: number, part: number): boolean {
  const key = `${id}/${part}`;
  if (answered.has(key)) return false;
  answered.add(key);
  return true;
}

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
      // Wait from now: the database's clock gives the time, here and when they are taken.
      numberArray(retries.map((r) => Math.max(0, r.not_before - Date.now()))),
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
