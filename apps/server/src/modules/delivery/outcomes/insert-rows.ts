import type pg from 'pg';
import type { CopyRows } from '#platform/driver/copy-rows';
import { copyByDay, copyRows } from './copy-by-day.ts';
import type { Ending, IncomingReceipt, Submission } from './entry.ts';

const SUBMISSION_COLUMNS = 'message_id, part, corporation_id, link_id, carrier_id, command_status, answered_at';
const OUTCOME_COLUMNS =
  'message_id, corporation_id, campaign_id, state, error_code, done_at, link_id, carrier_id, receipt_state, receipt';
const RECEIPT_COLUMNS = 'received_at, link_id, carrier_id, message_id, part, state, error, raw';

const DAY_MS = 86_400_000;

/** Converts command_status, which is unsigned, to PostgreSQL's signed integer with the same 32 bits. */
export const signed = (status: number): number => status | 0;

function writeSubmission(
  copy: CopyRows,
  { segment: { message, part }, link_id, carrier_id, command_status, at }: Submission,
) {
  copy.row(64);
  copy.bigint(message.id);
  copy.smallint(part);
  copy.bigint(message.chunk.corporation_id);
  copy.bigint(link_id);
  if (carrier_id === null) copy.null();
  else copy.text(carrier_id);
  copy.integer(command_status);
  copy.moment(at);
}

function writeOutcome(copy: CopyRows, { message, state, error, at, receipt }: Ending) {
  copy.row(64);
  copy.bigint(message.id);
  copy.bigint(message.chunk.corporation_id);
  if (message.chunk.campaign_id === null) copy.null();
  else copy.bigint(message.chunk.campaign_id);
  copy.text(state);
  if (error === null) copy.null();
  else copy.text(error);
  copy.moment(at);
  if (receipt) {
    copy.bigint(receipt.link_id);
    copy.text(receipt.carrier_id);
    copy.text(receipt.state);
    copy.octets(receipt.frame);
  } else {
    copy.null();
    copy.null();
    copy.null();
    copy.null();
  }
}

function writeReceipt(copy: CopyRows, { at, link_id, carrier_id, segment, state, error, frame }: IncomingReceipt) {
  copy.row(64);
  copy.moment(at);
  copy.bigint(link_id);
  copy.text(carrier_id);
  if (segment) {
    copy.bigint(segment.message.id);
    copy.smallint(segment.part);
  } else {
    copy.null();
    copy.null();
  }
  copy.text(state);
  copy.text(error);
  copy.octets(frame);
}

/** Appends one row for each segment. */
export const insertSubmissions = (client: pg.Client, submissions: readonly Submission[]): Promise<void> =>
  copyByDay(client, 'submission', SUBMISSION_COLUMNS, submissions, (s) => s.segment.message.id, writeSubmission);

/** Appends one row for each message. */
export const insertOutcomes = (client: pg.Client, endings: readonly Ending[]): Promise<void> =>
  copyByDay(client, 'outcome', OUTCOME_COLUMNS, endings, (e) => e.message.id, writeOutcome);

/** Appends one row for each receipt. */
export const insertReceipts = (client: pg.Client, receipts: readonly IncomingReceipt[]): Promise<void> =>
  copyRows(client, 'receipt', RECEIPT_COLUMNS, receipts, (r) => Math.floor(r.at / DAY_MS) * DAY_MS, writeReceipt);
