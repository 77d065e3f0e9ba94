import { textEnding } from '@heliograph/contract/campaigns/compose-text';
import { type Kysely, sql } from 'kysely';
import { type Prices, priceLookups } from '#modules/billing';
import { type Routing, readRouting } from '#modules/carrier-routes';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import type { Program, Unit } from './program.ts';

/** Sender ID that a program may use. */
interface Sender {
  id: number;
  /** Ending that is added to a text. */
  ending: string;
  /** Everything that it sends is commercial. */
  promotional: boolean;
}

/** Facts that decide about a program's messages, as its transaction reads them. */
export interface Facts {
  corporation_id: number;
  usable: boolean;
  skip_blacklist: boolean;
  reseller_id: number | null;
  currency: string;
  timezone: string;
  account: { sms_validity: number; flash_allowed: boolean; charge_on_delivery: boolean } | null;
  prices: Prices | BusinessError;
  routing: Routing;
  sender(name: string): Sender | undefined;
}

/** Returns a key that is equal for programs with the same facts. */
export const factsKey = ({ corporation_id, user_id, billing_account_id, department_id, is_test }: Program): string =>
  `${corporation_id} ${user_id} ${billing_account_id} ${department_id ?? 0} ${is_test}`;

interface ProgramRow {
  place: number;
  usable: boolean;
  skip_blacklist: boolean;
  skip_signature: boolean;
  scope_level: number;
  reseller_id: number | null;
  currency: string;
  timezone: string;
  opt_out_message: string | null;
  signature: string | null;
  sms_validity: number | null;
  flash_allowed: boolean;
  charge_on_delivery: boolean;
}

const PROGRAMS = `
  SELECT w.place, u.enabled AND c.enabled AND coalesce(d.enabled, true) AS usable, u.skip_blacklist, u.skip_signature, u.scope_level, c.currency, c.timezone,
    CASE WHEN c.is_reseller THEN c.id ELSE c.reseller_id END AS reseller_id, c.opt_out_message, d.signature,
    b.sms_validity, b.flash_allowed, b.charge_on_delivery
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) WITH ORDINALITY AS w(corporation_id, user_id, account_id, department_id, place)
  JOIN user_account u ON u.id = w.user_id JOIN corporation c ON c.id = w.corporation_id AND u.corporation_id = c.id
  LEFT JOIN department d ON d.id = w.department_id AND d.corporation_id = c.id
  LEFT JOIN billing_account b ON b.id = w.account_id AND b.corporation_id = c.id`;

const SENDERS = `
  SELECT w.place, s.sender_id AS name, s.id, s.add_optout, s.is_promotional
  FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) AS w(corporation_id, name, department_id, place)
  JOIN sender_id s ON s.corporation_id = w.corporation_id AND s.sender_id = w.name AND s.usable
  WHERE w.department_id = 0 OR sender_is_for(s.id, w.department_id)`;

/**
 * Reads the facts about the programs of some units, by `factsKey`. The number of statements is small and does not grow
 * with the units.
 */
export async function readFacts(
  db: Kysely<Database>,
  units: readonly Unit[],
  now: Date,
): Promise<ReadonlyMap<string, Facts>> {
  const programs = new Map<string, { program: Program; names: Set<string> }>();
  for (const { program, submissions } of units) {
    const key = factsKey(program);
    const entry = programs.get(key) ?? { program, names: new Set() };
    programs.set(key, entry);
    for (const { from } of submissions) entry.names.add(from);
  }
  const all = [...programs.values()];
  const rows = await rowsOf<ProgramRow>(db, PROGRAMS, [
    all.map(({ program }) => program.corporation_id),
    all.map(({ program }) => program.user_id),
    all.map(({ program }) => program.billing_account_id),
    all.map(({ program }) => program.department_id),
  ]);
  const known = new Map(rows.map((row) => [row.place - 1, row]));
  const senders = await readSenders(db, all, known);
  const accounts = new Set(all.map(({ program }) => program.billing_account_id));
  const prices = await priceLookups(db, [...accounts], { zone: 'api', at: now });
  const routing = await routings(db, all);
  const facts = new Map<string, Facts>();
  for (const [place, [key, { program }]] of [...programs].entries()) {
    const row = known.get(place);
    facts.set(key, {
      corporation_id: program.corporation_id,
      usable: row?.usable ?? false,
      skip_blacklist: row?.skip_blacklist ?? false,
      reseller_id: row?.reseller_id ?? null,
      currency: row?.currency ?? '',
      timezone: row?.timezone ?? 'UTC',
      account: row && row.sms_validity !== null ? { ...row, sms_validity: row.sms_validity } : null,
      prices: prices.get(program.billing_account_id) ?? new BusinessError('billing_account_missing'),
      routing: { ...routing.get(program.is_test)!, reseller_id: row?.reseller_id ?? null },
      sender: (name) => senders.get(`${place} ${name}`),
    });
  }
  return facts;
}

async function readSenders(
  db: Kysely<Database>,
  programs: readonly { program: Program; names: Set<string> }[],
  known: ReadonlyMap<number, ProgramRow>,
): Promise<Map<string, Sender>> {
  const asked = programs.flatMap(({ program, names }, place) => {
    // An administrator of a corporation may use all of its sender IDs.
    const department = (known.get(place)?.scope_level ?? 4) >= 3 ? (program.department_id ?? -1) : 0;
    return [...names].map((name) => ({ place, name, department, corporation: program.corporation_id }));
  });
  const rows = await rowsOf<{ place: number; name: string; id: number; add_optout: boolean; is_promotional: boolean }>(
    db,
    SENDERS,
    [
      asked.map(({ corporation }) => corporation),
      asked.map(({ name }) => name),
      asked.map(({ department }) => department),
      asked.map(({ place }) => place),
    ],
  );
  return new Map(
    rows.map(({ place, name, id, add_optout, is_promotional }) => {
      const { skip_signature = true, signature = null, opt_out_message = null } = known.get(place) ?? {};
      const ending = textEnding({
        signature: skip_signature ? null : signature,
        opt_out_message: add_optout ? opt_out_message : null,
      });
      return [`${place} ${name}`, { id, ending, promotional: is_promotional }];
    }),
  );
}

async function routings(
  db: Kysely<Database>,
  programs: readonly { program: Program }[],
): Promise<Map<boolean, Routing>> {
  const read = <Row>(text: string, values: readonly unknown[]) => rowsOf<Row>(db, text, values);
  const found = new Map<boolean, Routing>();
  for (const for_tests of new Set(programs.map(({ program }) => program.is_test)))
    found.set(for_tests, await readRouting(read, null, { for_tests }));
  return found;
}

/**
 * Returns the amounts that accounts can still spend, and locks them. No other transaction reserves until this one ends.
 */
export async function lockAccounts(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<Map<number, { available: number; usable: boolean }>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; available: number; usable: boolean }>`
    SELECT * FROM lock_accounts(${`{${ids.join()}}`}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, available, usable }) => [id, { available, usable }]));
}
