import { randomBytes } from 'node:crypto';
import { ROLE_LEVELS, type RoleName } from '@heliograph/contract/access/role-permissions';
import { email } from '@heliograph/contract/kernel/fields';
import { senderAddress } from '@heliograph/contract/senders/sender-id';
import { cell, type Moved, type MoveInOptions, type Place } from './moved.ts';

interface Owned extends Place {
  /** Name of the corporation; empty for that of the options. */
  corporation: string;
}

/** People, senders, numbers and money of another product, whatever its files look like. */
export interface Rows {
  users: (Owned & { email: string; name: string; role: string; account: string; phone: string })[];
  senders: (Owned & { sender: string })[];
  numbers: (Owned & { list: string; number: string; name: string })[];
  optOuts: (Owned & { number: string; at: string; note: string })[];
  balances: (Owned & { account: string; amount: string })[];
}

export const noRows = (): Rows => ({ users: [], senders: [], numbers: [], optOuts: [], balances: [] });

const DEPARTMENT = 'Main';
const ACCOUNT = 'Main';
/** Levels of people who belong to a department. */
const DEPARTMENT_LEVEL = 3;

/** Adds the records of rows. Opt-outs are loaded before any number, so that nobody gets a message in between. */
export function addRows(moved: Moved, rows: Rows, options: MoveInOptions, product: string): void {
  const all: Owned[] = Object.values(rows).flat();
  const ownerOf = ({ corporation }: Owned) => corporation || options.corporation;
  for (const name of new Set(all.map(ownerOf))) {
    moved.add('corporations', { name });
    moved.add('departments', { corporation: name, name: DEPARTMENT });
    moved.add('price-plans', { name: `${name} prices`, type: 'prepaid_package', default_charge: '0' });
    const first = all.find((each) => ownerOf(each) === name)!;
    moved.note(
      'differs',
      first,
      `The price plan "${name} prices" charges nothing. Change its default_charge, or add rates.`,
    );
    const named = [...rows.users, ...rows.balances].filter((each) => ownerOf(each) === name);
    for (const account of new Set(named.map((each) => each.account || ACCOUNT).concat(ACCOUNT)))
      moved.add('billing-accounts', {
        corporation: name,
        name: account,
        key: `${product}-${account}`.slice(0, 50),
        price_plan: `${name} prices`,
      });
  }
  addUsers(moved, rows, ownerOf);
  addSenders(moved, rows, ownerOf);
  addFiles(moved, rows, ownerOf);
  addBalances(moved, rows, ownerOf, product);
}

type OwnerOf = (row: Owned) => string;

function addUsers(moved: Moved, { users }: Rows, ownerOf: OwnerOf): void {
  const known = new Set<string>();
  for (const user of users) {
    const address = email.safeParse(user.email);
    if (!address.success || known.has(address.data)) {
      const why = address.success ? 'is that of another person' : 'is not valid';
      moved.note(
        'refused',
        user,
        `The email address "${user.email}" of "${user.name}" ${why}: people sign in with their own one.`,
      );
      continue;
    }
    known.add(address.data);
    const role = (user.role || 'corporate_user') as RoleName;
    const level = ROLE_LEVELS[role];
    if (level === undefined || level < 2) {
      moved.note('refused', user, `The role "${role}" is none of ${Object.keys(ROLE_LEVELS).slice(2).join(', ')}.`);
      continue;
    }
    moved.add('users', {
      email: address.data,
      name: user.name || address.data,
      phone: user.phone || undefined,
      corporation: ownerOf(user),
      department: level >= DEPARTMENT_LEVEL ? DEPARTMENT : undefined,
      billing_account: user.account || ACCOUNT,
      role,
      scope_level: level,
      // The person chooses another one by the mail of a reset.
      password: moved.secret(address.data, `Aa1#${randomBytes(9).toString('base64url')}`),
    });
  }
  if (users.length > 0)
    moved.note(
      'differs',
      users[0]!,
      'Passwords cannot be taken over. Choose "Reset password" for each person in the console: they get a link by mail.',
    );
}

function addSenders(moved: Moved, { senders }: Rows, ownerOf: OwnerOf): void {
  const known = new Set<string>();
  for (const row of senders) {
    const address = row.sender.replace(/^\+/, '');
    const key = `${ownerOf(row)} ${address}`;
    if (known.has(key)) continue;
    known.add(key);
    if (senderAddress.safeParse(address).success)
      moved.add('sender-ids', { corporation: ownerOf(row), sender_id: address });
    else
      moved.note(
        'refused',
        row,
        `"${row.sender}" is no sender ID: a name has up to 11 characters, a number 3 to 15 digits.`,
      );
  }
}

function addFiles(moved: Moved, { numbers, optOuts }: Rows, ownerOf: OwnerOf): void {
  for (const [corporation, rows] of Map.groupBy(optOuts, ownerOf)) {
    const lines = rows.map(({ number, at, note }) =>
      [number, at, note || 'from the former system'].map(cell).join(','),
    );
    const file = moved.keepFile(`opt-outs-${corporation}`, ['number,opted_out_at,note', ...lines]);
    moved.add('opt-out-files', { corporation, file });
  }
  const lists = Map.groupBy(numbers, (row) => JSON.stringify([ownerOf(row), row.list || 'Contacts']));
  for (const [key, rows] of lists) {
    const [corporation, name] = JSON.parse(key) as [string, string];
    moved.add('number-lists', { corporation, department: DEPARTMENT, name });
    const lines = rows.map((row) => [row.number, row.name].map(cell).join(','));
    const file = moved.keepFile(`numbers-${corporation}-${name}`, ['number,name', ...lines]);
    moved.add('number-files', { corporation, number_list: `${corporation} / ${DEPARTMENT} / ${name}`, file });
  }
}

function addBalances(moved: Moved, { balances }: Rows, ownerOf: OwnerOf, product: string): void {
  for (const row of balances) {
    const account = row.account || ACCOUNT;
    const amount = /^(\d{1,10})(?:\.(\d{1,2})(\d*))?$/.exec(row.amount.trim());
    if (!amount) {
      moved.note(
        'refused',
        row,
        `The balance "${row.amount}" of ${account} is no amount of at least 0 with a point before its cents.`,
      );
      continue;
    }
    const [, whole, cents = '', rest = ''] = amount;
    if (/[1-9]/.test(rest))
      moved.note('differs', row, `The balance ${row.amount} of ${account} is cut to two decimals.`);
    const exact = `${Number(whole)}.${cents.padEnd(2, '0')}`;
    if (Number(exact) === 0) continue;
    moved.add('payments', {
      corporation: ownerOf(row),
      billing_account: account,
      amount: exact,
      // The reference makes the balance count once, however often the file is applied.
      reference: `move-in ${product}`,
      note: 'Balance of the former system',
    });
  }
}
