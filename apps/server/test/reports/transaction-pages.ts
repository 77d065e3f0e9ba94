import assert from 'node:assert/strict';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { transactions } from '@heliograph/contract/reports/transaction';
import type { Client } from '../test-api.ts';

type Row = ReplyOf<typeof transactions>['data'][number];

export const DAY = 86_400_000;
export const now = Date.now();
/** Returns the date in Manila, the time zone of all demo tenants. */
export const manila = (time: number) => new Date(time + 8 * 3_600_000).toISOString().slice(0, 10);
/** The last eight days in Manila. */
export const week = { from: manila(now - 8 * DAY), to: manila(now) };

/** Reads one page of the transactions that a person may see. */
export async function page(client: Client, query: Record<string, string | number>) {
  const { status, body } = await client(
    'GET',
    `/api/v1/transactions?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`,
  );
  assert.equal(status, 200, JSON.stringify(body));
  return transactions.reply.parse(body);
}

/** Reads the whole selection, page by page. */
export async function all(client: Client, query: Record<string, string | number> = {}, limit = 200): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const reply = await page(client, { ...week, limit, ...query, ...(cursor && { cursor }) });
    rows.push(...reply.data);
    assert.equal(reply.has_more, reply.next_cursor !== null);
    cursor = reply.next_cursor;
  } while (cursor);
  return rows;
}
