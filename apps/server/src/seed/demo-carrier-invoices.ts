import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import {
  addCarrierRows,
  compare,
  type InvoiceRow,
  type OwnPart,
  openComparison,
  ownTraffic,
} from '#modules/carrier-invoices';
import type { Database } from '../platform/database/db.ts';

const TIMEZONE = 'Asia/Manila';
const CURRENCY = 'EUR';
/** Millionths by which amounts may differ. */
const TOLERANCE = 1_000;

/** File of a carrier: its name, days before today, and the rows that the carrier makes of the traffic. */
interface DemoFile {
  name: string;
  by_message: boolean;
  from: number;
  to: number;
  rows(parts: readonly OwnPart[]): InvoiceRow[];
}

const FILES: readonly DemoFile[] = [
  { name: 'invoice.csv', by_message: false, from: 6, to: 2, rows: sums },
  { name: 'messages.csv', by_message: true, from: 2, to: 2, rows: messages },
];

/** Millionths of a euro more that the carrier takes for each part on the dear day. */
const DEARER = 200;

/** Adds up the traffic by day and network. One day has parts that nobody sent, another one a price of another card. */
function sums(parts: readonly OwnPart[]): InvoiceRow[] {
  const rows = new Map<string, InvoiceRow & { amount: number }>();
  for (const { day, network, amount } of parts) {
    const key = `${day} ${network}`;
    const row = rows.get(key) ?? { carrier_id: null, day, network, parts: 0, amount: 0, state: null };
    rows.set(key, row);
    row.parts++;
    row.amount += amount ?? 0;
  }
  const all = [...rows.values()].sort((a, b) => (a.day! < b.day! ? -1 : 1));
  const [first, dear] = all;
  if (first) {
    first.amount += Math.round(first.amount / first.parts) * 3;
    first.parts += 3;
  }
  if (dear) dear.amount += dear.parts * DEARER;
  return all;
}

/** Lists the messages. Two are missing, one is not ours, two are dearer, and one ended in another way. */
function messages(parts: readonly OwnPart[]): InvoiceRow[] {
  const rows = parts.map(
    ({ carrier_id, day, network, amount, state }): InvoiceRow => ({
      carrier_id,
      day,
      network,
      parts: 1,
      amount,
      state,
    }),
  );
  const listed = rows.slice(2);
  for (const row of listed.slice(0, 2)) row.amount = (row.amount ?? 0) + DEARER + TOLERANCE;
  const undelivered = listed.find(({ state }) => state === 'undelivered');
  if (undelivered) undelivered.state = 'delivered';
  const [some] = listed;
  if (some) listed.push({ ...some, carrier_id: 'FFFF0001', state: 'delivered' });
  return listed;
}

/** Compares two files that the demo's carrier sent, as the worker would after an upload. */
export async function seedCarrierInvoices(database: Kysely<Database>, linkName: string): Promise<void> {
  const link = await database.selectFrom('link').select('id').where('name', '=', linkName).executeTakeFirstOrThrow();
  const today = Temporal.Now.plainDateISO(TIMEZONE);
  for (const file of FILES) {
    const [from, to] = [file.from, file.to].map((days) => today.subtract({ days }).toString()) as [string, string];
    const asked = { link_id: link.id, from, to, timezone: TIMEZONE, currency: CURRENCY };
    await database.transaction().execute(async (db) => {
      const parts: OwnPart[] = [];
      for await (const some of ownTraffic(db, asked)) parts.push(...some.filter(({ day }) => day >= from && day <= to));
      const rows = file.rows(parts);
      await openComparison(db);
      await addCarrierRows(db, rows);
      await compare(
        db,
        {
          ...asked,
          ...{ tolerance: TOLERANCE, by_message: file.by_message, by_network: true, user_id: null },
          file_name: `${from.slice(0, 7)}-${file.name}`,
          file_sha256: createHash('sha256').update(JSON.stringify(rows)).digest('hex'),
        },
        (id) => id,
      );
    });
  }
}
