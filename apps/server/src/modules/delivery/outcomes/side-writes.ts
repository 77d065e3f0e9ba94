import type pg from 'pg';
import { numberArray, textArray } from '#platform/database/array-literal';
import type { Adoption, IncomingReceipt, Retry, Submission } from './entry.ts';
import { signed } from './insert-rows.ts';

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

/** Entries of a batch by their kinds. */
export interface Batch {
  submissions: Submission[];
  receipts: IncomingReceipt[];
  adoptions: Adoption[];
  retries: Retry[];
}

/** Sends the statements for what a batch changes beside its new rows: receipts that found their messages, and retries. */
export function sideWrites(client: pg.Client, { adoptions, retries, submissions }: Batch): Promise<unknown>[] {
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
