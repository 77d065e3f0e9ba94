import { Moved, type MoveInOptions } from './moved.ts';
import { addRows, noRows, type Rows } from './rows.ts';
import { cellOf, readTables, type Table, type TableRow } from './tables.ts';

/** Status of playSMS administrators, who get no login here. */
const ADMINISTRATOR = '2';

const SUFFIXES = {
  users: 'tbluser',
  people: 'featurephonebook',
  groups: 'featurephonebook_group',
  members: 'featurephonebook_group_contacts',
  stopped: 'featurestoplist',
} as const;

/**
 * Makes a declared installation of playSMS's tables, each exported as a CSV with a first line of names, such as
 * `playsms_tblUser.csv`. Each user becomes a person with a billing account of their own.
 */
export function moveFromPlaySms(folder: string, options: MoveInOptions): Moved {
  const moved = new Moved('playsms');
  const tables = readTables(folder);
  const of = (suffix: string) => tables.find(({ name }) => name === suffix || name.endsWith(`_${suffix}`));
  const rows = noRows();
  const users = of(SUFFIXES.users);
  for (const row of users?.rows ?? []) addUser(moved, rows, row);
  addPeople(rows, of(SUFFIXES.people), of(SUFFIXES.groups), of(SUFFIXES.members));
  for (const row of of(SUFFIXES.stopped)?.rows ?? [])
    rows.optOuts.push({ ...placed(row), number: cellOf(row, 'mobile'), at: '', note: 'Stoplist of playSMS' });
  const read = Object.values(SUFFIXES).map(of);
  for (const table of tables)
    if (!read.includes(table)) moved.note('refused', { file: table.file, line: 1 }, 'This table is not taken over.');
  if (of(SUFFIXES.stopped))
    moved.note(
      'differs',
      { file: of(SUFFIXES.stopped)!.file, line: 1 },
      'A stopped number of one user gets no messages of the whole corporation.',
    );
  addRows(moved, rows, options, 'playsms');
  return moved;
}

const placed = ({ file, line }: TableRow) => ({ file, line, corporation: '' });

function addUser(moved: Moved, rows: Rows, row: TableRow): void {
  const of = (column: string) => cellOf(row, column);
  const name = of('username');
  if (of('status') === ADMINISTRATOR) {
    moved.note('refused', row, `"${name}" is an administrator: create administrators with create-admin.`);
    return;
  }
  rows.users.push({
    ...placed(row),
    email: of('email'),
    name: of('name') || name,
    role: '',
    account: name,
    phone: of('mobile'),
  });
  if (of('sender') !== '') rows.senders.push({ ...placed(row), sender: of('sender') });
  if (of('credit') !== '') rows.balances.push({ ...placed(row), account: name, amount: of('credit') });
  if (of('footer') !== '')
    moved.note(
      'differs',
      row,
      `The footer "${of('footer')}" of "${name}" becomes no signature: set one for the department.`,
    );
  if (of('token') !== '' && of('enable_webservices') === '1')
    moved.note('refused', row, `The webservices token of "${name}" does not work here: create a key for the program.`);
}

/** Adds the numbers of each group; people in no group come into the list of their user. */
function addPeople(rows: Rows, people?: Table, groups?: Table, members?: Table): void {
  const names = new Map((groups?.rows ?? []).map((row) => [cellOf(row, 'id'), cellOf(row, 'name')]));
  const groupsOf = Map.groupBy(members?.rows ?? [], (row) => cellOf(row, 'pid'));
  for (const row of people?.rows ?? []) {
    const lists = (groupsOf.get(cellOf(row, 'id')) ?? []).map((member) => names.get(cellOf(member, 'gpid')) ?? '');
    for (const list of lists.length > 0 ? lists : ['Phonebook'])
      rows.numbers.push({ ...placed(row), list, number: cellOf(row, 'mobile'), name: cellOf(row, 'name') });
  }
}
