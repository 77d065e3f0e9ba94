import type { apiVerification } from '@heliograph/contract/api/verification';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';

export type OnWire = z.output<typeof apiVerification>;

/** Verification of a program, with the facts of its messages. */
export interface Found {
  id: number;
  corporation_id: number;
  service_id: number;
  number: string;
  client_ip: string | null;
  device: string | null;
  language: Locale;
  state: OnWire['status'];
  seed: Buffer | null;
  code_length: number;
  checks: number;
  most_checks: number;
  sends: number;
  most_sends: number;
  resend_pause: number;
  parts: number;
  price: number;
  currency: string;
  client_ref: string | null;
  is_test: boolean;
  created_at: string;
  last_sent_at: string;
  expires_at: string;
  done_at: string | null;
  messages: { id: number; state: string; error_code: string | null }[] | null;
}

/** Verifications that a key may see: a test key has only those of test keys. */
export interface Owner {
  corporation_id: number;
  is_test: boolean;
}

/** Returns a verification. Throws `not_found`. */
export async function findVerification(db: Kysely<Database>, owner: Owner, id: number): Promise<Found> {
  const { rows } = await sql<Found>`
    SELECT v.*, c.currency, (SELECT jsonb_agg(jsonb_build_object('id', r.id, 'state', r.state, 'error_code', r.error_code)
        ORDER BY m.place) FROM unnest(v.message_ids) WITH ORDINALITY AS m(id, place) JOIN message_row r ON r.id = m.id) AS messages
    FROM verification v JOIN corporation c ON c.id = v.corporation_id
    WHERE v.id = ${id} AND v.corporation_id = ${owner.corporation_id} AND v.is_test = ${owner.is_test}
      AND v.state <> 'refused'`.execute(db);
  if (!rows[0]) throw new BusinessError('not_found');
  return rows[0];
}

/** Tells whether the time of a verification is over before it came to an end. */
export const isExpired = ({ state, expires_at }: Pick<Found, 'state' | 'expires_at'>, now: Date): boolean =>
  state === 'pending' && Date.parse(expires_at) <= now.getTime();

/** Returns the earliest time of the next resend, RFC 3339; null if there is none. */
export function resendAt(
  row: Pick<Found, 'state' | 'expires_at' | 'sends' | 'most_sends' | 'last_sent_at' | 'resend_pause'>,
): string | null {
  if (row.state !== 'pending' || row.sends >= row.most_sends) return null;
  const at = Date.parse(row.last_sent_at) + row.resend_pause * 1_000;
  return at < Date.parse(row.expires_at) ? new Date(at).toISOString() : null;
}

/** Returns a verification as programs see it. */
export function onWire(row: Found, now: Date): OnWire {
  const expired = isExpired(row, now);
  const open = row.state === 'pending' && !expired;
  return {
    id: String(row.id),
    service: String(row.service_id),
    to: row.number,
    status: expired ? 'expired' : row.state,
    language: row.language,
    attempts_left: open ? row.most_checks - row.checks : 0,
    resends_left: open ? row.most_sends - row.sends : 0,
    resend_at: open ? resendAt(row) : null,
    messages: (row.messages ?? []).map((each) => ({ ...each, id: String(each.id) })),
    parts: row.parts,
    price: fromThousandths(row.price),
    currency: row.currency,
    client_ref: row.client_ref,
    created_at: row.created_at,
    expires_at: row.expires_at,
    done_at: expired ? row.expires_at : row.done_at,
    test: row.is_test,
  };
}
