import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/db.ts';
import { rowsOf } from '../database/queryable.ts';
import { defineJob, enqueue } from '../jobs/jobs.ts';

/** Kinds of notices that a device can ask for. */
type Kind = 'approval' | 'finished' | 'reply' | 'link';

/** Job that sends one notice to one device. `what` names its sentence, and `id` is of the record that it is about. */
export const sendPushJob = defineJob(
  'send-push',
  z.object({ push_subscription_id: z.int(), what: z.string(), id: z.int().nullable() }),
);

/** Minimum interval in seconds between two notices of replies on a device. */
const REPLIES_EVERY = 60;

const DEVICES = `
  SELECT p.id FROM push_subscription p JOIN session s ON s.id = p.session_id
  WHERE p.user_id = ANY ($1::bigint[]) AND $2 = ANY (p.kinds) AND s.ended_at IS NULL`;
const REPLIED = `
  UPDATE push_subscription p SET replied_at = now() FROM session s
  WHERE s.id = p.session_id AND p.user_id = ANY ($1::bigint[]) AND $2 = ANY (p.kinds) AND s.ended_at IS NULL
    AND (p.replied_at IS NULL OR p.replied_at < now() - interval '${REPLIES_EVERY} seconds') RETURNING p.id`;

/**
 * Sends a notice to all devices of people that ask for its kind, once the transaction has committed. Replies arrive every
 * second: a device gets one notice of them a minute.
 */
export async function pushTo(
  db: Kysely<Database>,
  people: readonly number[],
  kind: Kind,
  about: { what: string; id: number | null },
): Promise<void> {
  if (people.length === 0) return;
  const devices = await rowsOf<{ id: number }>(db, kind === 'reply' ? REPLIED : DEVICES, [[...people], kind]);
  for (const { id } of devices) await enqueue(db, sendPushJob, { push_subscription_id: id, ...about });
}
