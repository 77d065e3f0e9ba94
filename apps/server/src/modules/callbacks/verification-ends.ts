import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { Event } from '#modules/events';
import { type Queryable, rowsOf } from '#platform/database/queryable';

const VERIFICATIONS = `
  SELECT v.id, v.service_id, v.number, v.language, v.parts, v.price, c.currency, v.client_ref, v.created_at, v.done_at
  FROM verification v JOIN corporation c ON c.id = v.corporation_id WHERE v.id = ANY ($1::bigint[])`;

interface Row {
  id: number;
  service_id: number;
  number: string;
  language: string;
  parts: number;
  price: number;
  currency: string;
  client_ref: string | null;
  created_at: string;
  done_at: string | null;
}

/** Returns a function that makes the data of each of some events that is about the end of a verification. */
export async function verificationEnds(
  db: Queryable,
  events: readonly Event[],
): Promise<(event: Pick<Event, 'type' | 'data'>) => Record<string, unknown>> {
  const ids = events.map(({ data }) => data['verification_id']).filter((id) => typeof id === 'number');
  const rows = ids.length === 0 ? [] : await rowsOf<Row>(db, VERIFICATIONS, [ids]);
  const known = new Map(rows.map((row) => [row.id, row]));
  return ({ type, data }) => {
    const row = known.get(data['verification_id'] as number);
    return {
      id: String(data['verification_id']),
      service: row ? String(row.service_id) : null,
      to: row?.number ?? null,
      status: type.slice('verification.'.length),
      language: row?.language ?? null,
      parts: row?.parts ?? null,
      price: row ? fromThousandths(row.price) : null,
      currency: row?.currency ?? null,
      client_ref: row?.client_ref ?? null,
      created_at: row?.created_at ?? null,
      done_at: row?.done_at ?? null,
      test: data['test'],
    };
  };
}
