import { Moved, type MoveInOptions } from './moved.ts';
import { addRows, noRows } from './rows.ts';
import { cellOf, noteColumns, readTables, type TableRow } from './tables.ts';

/** Columns of each file; `corporation` may be in all of them. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  users: ['email', 'name', 'phone', 'role', 'account'],
  senders: ['sender'],
  numbers: ['list', 'number', 'name'],
  'opt-outs': ['number', 'opted_out_at', 'note'],
  balances: ['account', 'amount'],
};

/** Makes a declared installation of a folder with `users.csv`, `senders.csv`, `numbers.csv`, `opt-outs.csv` and `balances.csv`. */
export function moveFromCsv(folder: string, options: MoveInOptions): Moved {
  const moved = new Moved('csv');
  const rows = noRows();
  for (const table of readTables(folder)) {
    const columns = COLUMNS[table.name];
    if (!columns) {
      const names = Object.keys(COLUMNS).map((name) => `${name}.csv`);
      moved.note('refused', { file: table.file, line: 1 }, `Only these files are read: ${names.join(', ')}.`);
      continue;
    }
    noteColumns(moved, table, [...columns, 'corporation']);
    for (const row of table.rows) {
      const of = (column: string) => cellOf(row, column);
      const owned = { ...placeOf(row), corporation: of('corporation') };
      if (table.name === 'users')
        rows.users.push({
          ...owned,
          email: of('email'),
          name: of('name'),
          phone: of('phone'),
          role: of('role'),
          account: of('account'),
        });
      if (table.name === 'senders') rows.senders.push({ ...owned, sender: of('sender') });
      if (table.name === 'numbers')
        rows.numbers.push({ ...owned, list: of('list'), number: of('number'), name: of('name') });
      if (table.name === 'opt-outs')
        rows.optOuts.push({ ...owned, number: of('number'), at: of('opted_out_at'), note: of('note') });
      if (table.name === 'balances') rows.balances.push({ ...owned, account: of('account'), amount: of('amount') });
    }
  }
  addRows(moved, rows, options, 'csv');
  return moved;
}

const placeOf = ({ file, line }: TableRow) => ({ file, line });
