import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { idHash } from '../../src/modules/delivery/outcomes/compact-outcomes.ts';
import { CARRIERS, type Carrier, PORTED_TO, RATES } from './made-carriers.ts';

const DAY_MS = 86_400_000;
/** Manila is eight hours ahead all year. */
const MANILA_MS = 8 * 3_600_000;
export const DAYS = 28;
/** Day of the month on which every carrier changes its card. */
const CHANGE = 15;
const CHUNK = 1_000;

/** Generator of numbers below a bound, the same for a seed (mulberry32). */
export function randomFrom(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

/** Month of the operator: where its files are, and which records it made. */
export interface MadeMonth {
  /** First day, at midnight in Manila. */
  start: number;
  links: readonly number[];
  /** Files of the carriers, and the one of the customers. */
  logs: readonly string[];
  customers: string;
}

interface Customer {
  id: number;
  name: string;
  reseller: { id: number; name: string } | null;
  price: number;
  resellerPrice: number;
  onDelivery: boolean;
}

async function makeCustomers(owner: pg.Pool): Promise<Customer[]> {
  const add = async (name: string, reseller: number | null, isReseller: boolean) =>
    (
      await owner.query<{ id: number }>(
        'INSERT INTO corporation (name, currency, is_reseller, reseller_id) VALUES ($1, $2, $3, $4) RETURNING id',
        [name, 'PHP', isReseller, reseller],
      )
    ).rows[0]!.id;
  const resellers = [];
  for (const name of ['Operator reseller A', 'Operator reseller B'])
    resellers.push({ id: await add(name, null, true), name });
  const customers: Customer[] = [];
  for (let i = 0; i < 10; i++) {
    const reseller = i < 4 ? resellers[0]! : i < 7 ? resellers[1]! : null;
    const name = `Operator customer ${i}`;
    const id = await add(name, reseller?.id ?? null, false);
    customers.push({ id, name, reseller, price: 350 + 7 * i, resellerPrice: 131 + i, onDelivery: i % 3 === 0 });
  }
  return customers;
}

async function makeLink(
  owner: pg.Pool,
  { name, currency, on, cards, ported }: Carrier,
  start: number,
): Promise<number> {
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO link (name, host, port, system_id) VALUES ($1, '127.0.0.1', 9, 'x') RETURNING id`,
    [name],
  );
  const link = rows[0]!.id;
  for (const [place, rates] of cards.entries()) {
    const { rows: made } = await owner.query<{ id: number }>(
      `INSERT INTO carrier_card (link_id, name, currency, charged_on, starts_on) VALUES ($1, $2, $3, $4, '2020-01-01') RETURNING id`,
      [link, `Card ${place + 1}`, currency, on],
    );
    await owner.query(
      'INSERT INTO carrier_rate (carrier_card_id, prefix, amount) SELECT $1, * FROM unnest($2::text[], $3::bigint[])',
      [made[0]!.id, Object.keys(rates), Object.values(rates)],
    );
    if (ported)
      await owner.query('INSERT INTO carrier_rate (carrier_card_id, mcc, mnc, amount) VALUES ($1, $2, $3, $4)', [
        made[0]!.id,
        ...[PORTED_TO.mcc, PORTED_TO.mnc, ported[place]],
      ]);
    const from = new Date(start + place * (CHANGE - 1) * DAY_MS).toISOString();
    await owner.query(
      `UPDATE carrier_card SET version = $2, applied_at = $3, from_at = $3, timezone = 'Asia/Manila' WHERE id = $1`,
      [made[0]!.id, place + 1, from],
    );
  }
  return link;
}

const PREFIXES = ['63917', '63918', '63999', '63905', '88351'];
/** Final states: most are delivered; null for a message without a receipt. */
const STATES = [
  'delivered',
  'delivered',
  'delivered',
  'delivered',
  'delivered',
  'delivered',
  'delivered',
  'failed',
  null,
];
/** Octets of a packed answer, with the final state in the low bits (ADR 13). */
const OCTETS = { delivered: 0x31, failed: 0x35, none: 0x30 } as const;

/** Charge of a carrier for a message in its own words: a decimal, empty if it has no price for the number. */
function chargeOf(
  { on, cards, ported }: Carrier,
  number: string,
  state: string | null,
  day: number,
  isPorted: boolean,
): string {
  const version = day >= CHANGE - 1 ? 1 : 0;
  const rates = cards[version];
  const prefix = Object.keys(rates)
    .filter((each) => number.startsWith(each))
    .sort((a, b) => b.length - a.length)[0];
  const amount = isPorted && ported ? ported[version] : prefix && rates[prefix];
  if (!amount) return '';
  return on === 'delivery' && state !== 'delivered' ? '0' : (amount / 1e6).toFixed(6);
}

/**
 * Writes a month of the operator as senders leave it: messages with answers and final states. Each carrier keeps its own
 * file of what it accepted and charges, and a file of the customers tells who pays how much for which message.
 */
export async function makeMonth(owner: pg.Pool, folder: string, messages: number, seed: number): Promise<MadeMonth> {
  const random = randomFrom(seed);
  const start = Math.floor((Date.now() + MANILA_MS) / DAY_MS - DAYS - 1) * DAY_MS - MANILA_MS;
  await owner.query('DELETE FROM exchange_rate');
  for (const { day, from, to, digits, scale } of RATES)
    await owner.query(
      'INSERT INTO exchange_rate (from_currency, to_currency, day, digits, scale) VALUES ($1, $2, $3, $4, $5)',
      [from, to, dayOf(start + day * DAY_MS), digits, scale],
    );
  const customers = await makeCustomers(owner);
  const links: number[] = [];
  for (const carrier of CARRIERS) links.push(await makeLink(owner, carrier, start));
  const { rows } = await owner.query<{ id: number }>('SELECT min(id) AS id FROM billing_account');
  const account = rows[0]!.id;
  const networks = await owner.query<{ id: number }>('SELECT id FROM network WHERE mcc = $1 AND mnc = $2', [
    PORTED_TO.mcc,
    PORTED_TO.mnc,
  ]);
  const network = networks.rows[0]!.id;
  const logs = CARRIERS.map(({ name }) => join(folder, `${name.replaceAll(' ', '-')}.csv`));
  const files = logs.map((log) => createWriteStream(log));
  const customersFile = join(folder, 'customers.csv');
  const payers = createWriteStream(customersFile);
  for (const file of files) file.write('message_id,day,number,state,amount,network\n');
  payers.write('message_id,link,corporation,reseller,price\n');
  const perDay = Math.ceil(messages / DAYS / customers.length);
  const utc = (at: number) => new Date(at).toISOString().slice(0, 10);
  await owner.query('SELECT ensure_partitions($1::date, $2::date)', [utc(start), utc(start + DAYS * DAY_MS)]);
  for (let day = 0; day < DAYS; day++) {
    for (const customer of customers)
      for (let left = perDay; left > 0; left -= CHUNK) {
        const which = random(CARRIERS.length);
        const chunk = {
          start,
          day,
          which,
          link: links[which]!,
          customer,
          account,
          network,
          size: Math.min(left, CHUNK),
        };
        await makeChunk(owner, random, chunk, files[which]!, payers);
      }
  }
  for (const file of [...files, payers]) {
    file.end();
    await once(file, 'close');
  }
  await owner.query('ANALYZE chunk, message, answer_pack');
  return { start, links, logs, customers: customersFile };
}

const dayOf = (at: number) => new Date(at + MANILA_MS).toISOString().slice(0, 10);

interface MadeChunk {
  start: number;
  day: number;
  which: number;
  link: number;
  customer: Customer;
  account: number;
  /** Network of the ported numbers. */
  network: number;
  size: number;
}

async function makeChunk(
  owner: pg.Pool,
  random: (bound: number) => number,
  { start, day, which, link, customer, account, network, size }: MadeChunk,
  log: WriteStream,
  payers: WriteStream,
): Promise<void> {
  const at = start + day * DAY_MS + 3_600_000 + random(21 * 3_600_000);
  const { reseller } = customer;
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO chunk (id, corporation_id, billing_account_id, link_id, class, sender_id, charge_on_delivery, common_text, size,
       cursor, state, settled, created_at, reseller_account_id, reseller_corporation_id, reseller_unit_price, reseller_charge_on_delivery)
     VALUES (($1::bigint << 28) | nextval('chunk_sequence'), $2, $3, $4, 'bulk', 'Operator', $5, 'Text', $6, $6, 'done', true, $7,
       $8, $9, $10, $11) RETURNING id`,
    [
      Math.floor(at / DAY_MS),
      ...[customer.id, account, link, customer.onDelivery, size, new Date(at).toISOString()],
      ...(reseller ? [account, reseller.id, customer.resellerPrice, customer.onDelivery] : [null, null, null, null]),
    ],
  );
  const chunk = rows[0]!.id;
  const numbers: string[] = [];
  const states: number[] = [];
  const ids: string[] = [];
  const ported: number[] = [];
  for (let place = 0; place < size; place++) {
    const number = PREFIXES[random(40) === 0 ? 4 : random(4)]! + String(random(10_000_000)).padStart(7, '0');
    const state = STATES[random(STATES.length)]!;
    const id = `${(chunk * 1_024 + place).toString(16)}${which}`;
    numbers.push(number);
    ids.push(id);
    const isPorted = random(50) === 0;
    if (isPorted) ported.push(place, network);
    states.push(OCTETS[(state ?? 'none') as keyof typeof OCTETS]);
    log.write(
      `${id},${dayOf(at)},${number},${state === 'delivered' ? 'DELIVRD' : state ? 'UNDELIV' : ''},${chargeOf(CARRIERS[which]!, number, state, day, isPorted)},${isPorted ? `${PORTED_TO.mcc}${PORTED_TO.mnc}` : ''}\n`,
    );
    const price = customer.onDelivery && state !== 'delivered' ? 0 : reseller ? customer.resellerPrice : customer.price;
    payers.write(`${id},${which},${customer.name},${reseller?.name ?? ''},${price}\n`);
  }
  await owner.query(
    `INSERT INTO message (id, corporation_id, unit_price, parts, unicode, msisdn)
     SELECT ($1::bigint << 10) + n.place - 1, $2, $3, 1, false, n.msisdn FROM unnest($4::text[]) WITH ORDINALITY AS n(msisdn, place)`,
    [chunk, customer.id, customer.price, numbers],
  );
  if (ported.length > 0) await owner.query('UPDATE chunk SET ported = $2 WHERE id = $1', [chunk, ported]);
  await owner.query('INSERT INTO chunk_state (chunk_id, corporation_id, states) VALUES ($1, $2, $3)', [
    chunk,
    customer.id,
    Buffer.from(states),
  ]);
  await owner.query(
    `INSERT INTO answer_pack (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, id_hashes)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[chunk, customer.id, link, new Date(at).toISOString(), ids.map((_, place) => place).join()],
      ...[ids.map((_, place) => place % 1_000).join(), ids.join('\x1f'), ids.map(idHash)],
    ],
  );
}
