import { textEnding } from '@heliograph/contract/campaigns/compose-text';
import { type Prices, priceLookups } from '#modules/billing';
import { type Routing, readRouting } from '#modules/carrier-routes';
import { together } from '#modules/delivery';
import { numberArray, textArray } from '#platform/database/array-literal';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import type { TextKey } from '#platform/text/sealed-text';
import { codeTextKey, openTextKey } from '#platform/text/text-keys';
import type { Program, Unit } from './program.ts';
import { testsToday } from './tests-of-day.ts';

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
  /** Currency of who pays the platform: the corporation, or its reseller. */
  payer_currency: string;
  timezone: string;
  account: { sms_validity: number; flash_allowed: boolean; charge_on_delivery: boolean } | null;
  prices: Prices | BusinessError;
  routing: Routing;
  /** Key with which the texts are encrypted; null if they are not. */
  text_key: TextKey | null;
  /** Returns the key of texts with codes, which are encrypted always. */
  code_key(): TextKey;
  sender(name: string): Sender | undefined;
  /** Messages of test keys that the corporation handed in today; 0 for live keys. */
  tests_today: number;
}

/** Returns a key that is equal for programs with the same facts. */
export const factsKey = ({ corporation_id, user_id, billing_account_id, department_id, is_test }: Program): string =>
  `${corporation_id} ${user_id} ${billing_account_id} ${department_id ?? 0} ${is_test}`;

interface ProgramRow {
  place: number;
  usable: boolean;
  skip_blacklist: boolean;
  skip_signature: boolean;
  reseller_id: number | null;
  currency: string;
  payer_currency: string;
  timezone: string;
  opt_out_message: string | null;
  signature: string | null;
  sms_validity: number | null;
  flash_allowed: boolean;
  charge_on_delivery: boolean;
  text_key: number | null;
  text_key_sealed: string | null;
}

const PROGRAMS = `
  SELECT w.place, u.enabled AND c.enabled AND coalesce(d.enabled, true) AS usable, u.skip_blacklist, u.skip_signature, c.currency,
    coalesce(r.currency, c.currency) AS payer_currency, c.timezone,
    CASE WHEN c.is_reseller THEN c.id ELSE c.reseller_id END AS reseller_id, c.opt_out_message, d.signature,
    b.sms_validity, b.flash_allowed, b.charge_on_delivery, t.number AS text_key, t.key_sealed AS text_key_sealed
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) WITH ORDINALITY AS w(corporation_id, user_id, account_id, department_id, place)
  JOIN user_account u ON u.id = w.user_id JOIN corporation c ON c.id = w.corporation_id AND u.corporation_id = c.id
  LEFT JOIN corporation r ON r.id = c.reseller_id
  LEFT JOIN department d ON d.id = w.department_id AND d.corporation_id = c.id
  LEFT JOIN billing_account b ON b.id = w.account_id AND b.corporation_id = c.id
  LEFT JOIN text_key t ON t.corporation_id = c.id AND t.state = 'current'`;

const SENDERS = `
  SELECT w.place, s.sender_id AS name, s.id, s.add_optout, s.is_promotional
  FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::integer[])
    AS w(corporation_id, name, department_id, user_id, place)
  JOIN sender_id s ON s.corporation_id = w.corporation_id AND s.sender_id = w.name AND s.usable
  JOIN user_account u ON u.id = w.user_id
  -- An administrator of a corporation may use all of its sender IDs.
  WHERE u.scope_level < 3 OR sender_is_for(s.id, w.department_id)`;

/**
 * Reads the facts about the programs of some units, by `factsKey`. The statements are few, do not grow with the units,
 * and are sent together. Work of the platform and of programs never comes together.
 */
export async function readFacts(
  db: Queryable,
  units: readonly Unit[],
  now: Date,
  installationKey: InstallationKey,
): Promise<ReadonlyMap<string, Facts>> {
  const programs = new Map<string, { program: Program; names: Set<string> }>();
  for (const { program, submissions } of units) {
    const key = factsKey(program);
    const entry = programs.get(key) ?? { program, names: new Set() };
    programs.set(key, entry);
    for (const { from } of submissions) entry.names.add(from);
  }
  const all = [...programs.values()];
  const accounts = new Set(all.map(({ program }) => program.billing_account_id));
  const tests = new Set(all.map(({ program }) => program.is_test));
  const routingOf = (for_tests: boolean) =>
    readRouting((text, values) => rowsOf(db, text, values), null, { for_tests });
  const [rows, senders, prices, used, ...routings] = await together([
    rowsOf<ProgramRow>(db, PROGRAMS, [
      numberArray(all.map(({ program }) => program.corporation_id)),
      numberArray(all.map(({ program }) => program.user_id)),
      numberArray(all.map(({ program }) => program.billing_account_id)),
      numberArray(all.map(({ program }) => program.department_id)),
    ]),
    readSenders(db, all),
    priceLookups(db, [...accounts], { zone: units.some(({ program }) => program.own) ? 'web' : 'api', at: now }),
    testsToday(db, all, now),
    ...[...tests].map(routingOf),
  ]);
  const known = new Map(rows.map((row) => [row.place - 1, row]));
  const routing = new Map([...tests].map((for_tests, place) => [for_tests, routings[place]!]));
  const forTests = routing.get(true);
  if (forTests && !forTests.links.values().some(({ enabled }) => enabled)) {
    // The first message of a test key on an installation without links for tests.
    await rowsOf(db, 'SELECT make_virtual_carrier()');
    routing.set(true, await routingOf(true));
  }
  const facts = new Map<string, Facts>();
  for (const [place, [key, { program }]] of [...programs].entries()) {
    const row = known.get(place);
    facts.set(key, {
      corporation_id: program.corporation_id,
      usable: row?.usable ?? false,
      skip_blacklist: row?.skip_blacklist ?? false,
      reseller_id: row?.reseller_id ?? null,
      currency: row?.currency ?? '',
      payer_currency: row?.payer_currency ?? '',
      timezone: row?.timezone ?? 'UTC',
      account: row && row.sms_validity !== null ? { ...row, sms_validity: row.sms_validity } : null,
      prices: prices.get(program.billing_account_id) ?? new BusinessError('billing_account_missing'),
      routing: { ...routing.get(program.is_test)!, reseller_id: row?.reseller_id ?? null },
      text_key: textKeyOf(program, row, installationKey),
      code_key: once(() => codeTextKey(installationKey(), program.corporation_id)),
      sender: sendersOf(senders.get(place), row),
      tests_today: (program.is_test && used.get(program.corporation_id)) || 0,
    });
  }
  return facts;
}

/** Returns a function that makes its value at the first call. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Key of the installation, which is asked for only if texts are encrypted. */
export type InstallationKey = () => Buffer;

function textKeyOf({ corporation_id }: Program, row: ProgramRow | undefined, key: InstallationKey): TextKey | null {
  if (!row || row.text_key === null) return null;
  return openTextKey(key(), { corporation_id, number: row.text_key, key_sealed: row.text_key_sealed! });
}

interface SenderRow {
  place: number;
  name: string;
  id: number;
  add_optout: boolean;
  is_promotional: boolean;
}

/** Reads the sender IDs that programs name and may use, by the places of the programs. */
async function readSenders(
  db: Queryable,
  programs: readonly { program: Program; names: Set<string> }[],
): Promise<Map<number, SenderRow[]>> {
  const asked = programs.flatMap(({ program, names }, place) => [...names].map((name) => ({ place, name, program })));
  const rows = await rowsOf<SenderRow>(db, SENDERS, [
    numberArray(asked.map(({ program }) => program.corporation_id)),
    textArray(asked.map(({ name }) => name)),
    numberArray(asked.map(({ program }) => program.department_id ?? -1)),
    numberArray(asked.map(({ program }) => program.user_id)),
    numberArray(asked.map(({ place }) => place)),
  ]);
  return Map.groupBy(rows, ({ place }) => place);
}

function sendersOf(rows: readonly SenderRow[] = [], program?: ProgramRow): (name: string) => Sender | undefined {
  const { skip_signature = true, signature = null, opt_out_message = null } = program ?? {};
  const senders = new Map(
    rows.map(({ name, id, add_optout, is_promotional }) => {
      const ending = textEnding({
        signature: skip_signature ? null : signature,
        opt_out_message: add_optout ? opt_out_message : null,
      });
      return [name, { id, ending, promotional: is_promotional }];
    }),
  );
  return (name) => senders.get(name);
}

/** Amount that an account can still spend, whether it may spend, and the messages that wait until it has paid. */
export interface Funds {
  available: number;
  usable: boolean;
  hold: 'none' | 'bulk' | 'all';
}

type FundsRow = Funds & { id: number };

const fundsOf = (rows: readonly FundsRow[]): Map<number, Funds> =>
  new Map(rows.map(({ id, available, usable, hold }) => [id, { available, usable, hold }]));

const FUNDS = `
  SELECT id, credit_balance + credit_limit AS available, enabled AND NOT suspended AS usable, hold
  FROM billing_account WHERE id = ANY ($1::bigint[])`;

/** Returns the amounts that accounts can spend now. Other transactions may reserve some of them at any moment. */
export async function readAccounts(db: Queryable, ids: ReadonlySet<number>): Promise<Map<number, Funds>> {
  return ids.size === 0 ? new Map() : fundsOf(await rowsOf<FundsRow>(db, FUNDS, [numberArray([...ids])]));
}

/**
 * Returns the amounts that accounts can still spend, and locks them. No other transaction reserves until this one ends.
 */
export async function lockAccounts(db: Queryable, ids: ReadonlySet<number>): Promise<Map<number, Funds>> {
  if (ids.size === 0) return new Map();
  return fundsOf(await rowsOf<FundsRow>(db, 'SELECT * FROM lock_funds($1::bigint[])', [numberArray([...ids])]));
}
