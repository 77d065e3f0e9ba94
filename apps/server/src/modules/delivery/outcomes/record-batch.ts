import { unreachable } from '@heliograph/contract/kernel/unreachable';
import type pg from 'pg';
import { addQuality, QualitySums } from '#modules/carrier-quality';
import { failpoint } from '#platform/failpoints';
import { dayOf } from '../message-id.ts';
import { together } from '../postgres-session.ts';
import { type Message, WHOLE } from '../segment.ts';
import { addCosts } from './add-costs.ts';
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
import { CostSums } from './cost-sums.ts';
import { Deltas } from './deltas.ts';
import { type Ending, type Entry, errorCode, finalState, type IncomingReceipt, type Submission } from './entry.ts';
import { answeredParts, findOwners, partsSeen } from './find-segments.ts';
import { insertOutcomes, insertReceipts, insertSubmissions } from './insert-rows.ts';
import { readOldRates, recentCosts } from './recent-costs.ts';
import { recentNetworks } from './recent-networks.ts';
import { type Batch, sideWrites } from './side-writes.ts';

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
  inParts: Map<number, Pick<Ending, 'message' | 'at'> & { link_id: number }>;
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
  const networks = await recentNetworks(client);
  const cards = await recentCosts(client);
  try {
    failpoint('outcomes.before-rows');
    const [, states, answered] = await together([
      client.query('BEGIN'),
      ChunkStates.lock(client, messagesOf(batch)),
      answeredParts(client, batch.submissions),
      batch.retries.length > 0 && enterAttempt(client, attempt),
    ]);
    if (attempt.stands) batch.retries = [];
    const networkOf = rememberingLast((msisdn) => networks.networkOf(msisdn));
    const sums = { deltas: new Deltas(), quality: new QualitySums(networkOf), costs: new CostSums(cards, networkOf) };
    return await record(client, batch, states, answered, sums, cause);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Sums of a batch. */
interface Sums {
  deltas: Deltas;
  quality: QualitySums;
  costs: CostSums;
}

/** Makes a search remember its last answer: several sums ask for the network of the same number in turn. */
function rememberingLast<Found>(find: (msisdn: string) => Found): (msisdn: string) => Found {
  let last: string | undefined;
  let found: Found;
  return (msisdn) => {
    if (msisdn !== last) {
      found = find(msisdn);
      last = msisdn;
    }
    return found;
  };
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
  sums: Sums,
  cause: string,
): Promise<number[]> {
  const { deltas, quality, costs } = sums;
  const { answers, submissions, delivered, endings, receipts, inParts, again } = admit(batch, states, answered, sums);
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
      if (states.end(ending.message, ending.state)) {
        deltas.outcome(ending);
        if (ending.state === 'delivered') costs.delivered(ending.message, null);
        report(quality, ending, inParts.get(ending.message.id)!.link_id);
      } else again.set(ending.message.id, ending.message);
      return !again.has(ending.message.id);
    });
    await insertOutcomes(client, fresh);
  }
  const stated = states.write(client);
  if (again.size > 0) {
    await together([written, stated]);
    await correctOutcomes(client, again, deltas, costs);
  }
  if (costs.incomplete) {
    await together([written, stated]);
    await costs.complete(client, (period) => readOldRates(client, period));
  }
  // All rows of a usual batch are known before they are written, so its sums follow without waiting for the rows.
  const [, , , , campaigns] = await together([
    written,
    stated,
    addQuality(client, quality),
    addCosts(client, costs, cause),
    applyDeltas(client, deltas, cause),
  ]);
  // A retry means that the message has not left after all, which is news for its campaign.
  for (const { segment } of batch.retries) campaigns.push(...[segment.message.chunk.campaign_id ?? []].flat());
  return campaigns;
}

/** Counts the end that a receipt gave to a message. */
const report = (quality: QualitySums, { message, state, at }: Ending, linkId: number): void =>
  quality.ended(message, linkId, state === 'delivered', at);

/** Separates new entries from existing ones, and adds the new ones to the deltas. */
function admit(batch: Batch, states: ChunkStates, answered: Set<string>, { deltas, quality, costs }: Sums): Additions {
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
      if (command_status === 0) costs.accepted(message, submission.link_id, at);
      // Messages that never left, or had no answer, say nothing about the link.
      if (part === 1 && command_status >= 0) quality.answered(message, submission.link_id, command_status === 0, at);
    }
    if (end) ends({ message, ...end, at });
  }
  // The first of contradicting receipts is the outcome and the last the correction, also if the first had to wait.
  const reports = [...batch.receipts, ...batch.adoptions];
  if (batch.adoptions.length > 0) reports.sort((a, b) => a.at - b.at);
  for (const each of reports) {
    const { segment, state, error, at, link_id } = each;
    const receipt = each.kind === 'receipt' ? each : undefined;
    const final = segment && finalState(state);
    if (!final || !inOnePdu(segment.message)) {
      if (receipt) to.receipts.push(receipt);
      if (final) to.inParts.set(segment.message.id, { message: segment.message, at, link_id });
      continue;
    }
    const ending = { message: segment.message, state: final, error: errorCode(state, error), at };
    // If the message had ended before, this receipt gets its own row.
    if (ends(receipt ? { ...ending, receipt } : ending)) {
      report(quality, ending, link_id);
      // A receipt on one of several links of an account does not say which of them took the message.
      if (final === 'delivered')
        costs.delivered(segment.message, receipt && (receipt.ids?.links.length ?? 1) === 1 ? link_id : null);
    } else if (receipt) to.receipts.push(receipt);
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
