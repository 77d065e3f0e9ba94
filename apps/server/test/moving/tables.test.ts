import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { moveFromCsv, moveFromPlaySms } from '#modules/moving';
import { startTestApi } from '../test-api.ts';
import { applied, calls, planOf } from './moving-stage.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const OPTIONS = {
  corporation: 'Sari',
  contact: 'it@sari.example',
  numbers: [],
  blocked: [],
  today: '2027-01-01',
  enable: false,
};

/** Writes files into a folder of their own; answers its path. */
function folderOf(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-moving-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const notesOf = (moved: { notes: { kind: string; line: number; text: string }[] }) =>
  moved.notes.map(({ kind, line, text }) => `${kind} ${line} ${text}`).join('\n');

test('CSV files move in with people, lists, opt-outs first, and money once', async () => {
  const moved = moveFromCsv(
    folderOf({
      'users.csv': 'email;name;role\nana@sari.example;Ana;corporate_admin\nnot an address;Ben;\n',
      'senders.csv': 'sender\nSARI\nFar too long a name\n',
      'numbers.csv': 'list,number,name\nVIP,639170000001,"Reyes, Ana"\nVIP,639170000002,\n',
      'opt-outs.csv': 'number,opted_out_at\n639170000002,2026-01-31T10:00:00Z\n',
      'balances.csv': 'account,amount,since\nMain,1250.505,2020\nOld,-3,2020\n',
      'routes.csv': 'a\n1\n',
    }),
    OPTIONS,
  );
  const notes = notesOf(moved);
  for (const words of [
    /refused 3 The email address "not an address"/,
    /"Far too long a name" is no sender ID/,
    /Columns that are not taken over: since/,
    /balance "-3"/,
    /cut to two decimals/,
    /Only these files are read/,
  ])
    assert.match(notes, words);
  const secrets = Object.fromEntries(moved.secrets);
  const text = moved.write();
  assert.ok(text.indexOf('opt-out-files') < text.indexOf('number-files'), 'opt-outs come first');
  await calls(api, async (each) => {
    await applied(each, text, secrets, moved.files);
    const again = await planOf(each, text, secrets);
    assert.deepEqual(
      [again.faults, again.lines.filter((line) => /^[+~] (?!opt-outs|numbers|payment)/.test(line))],
      [[], []],
    );
    // The same payment again counts once, even if nothing remembers it.
    const only = text.slice(text.indexOf('payments:'));
    await applied(each, `heliograph: 1\n${only}`, secrets, moved.files);
  });
  const { rows } = await owner.query<{ amount: string; key: string }>(
    `SELECT t.amount, t.key FROM ledger_transfer t JOIN billing_account b ON b.id = t.billing_account_id
     JOIN corporation c ON c.id = b.corporation_id WHERE c.name = 'Sari'`,
  );
  assert.equal(rows.length, 1);
  assert.equal(Number(rows[0]!.amount), 1_250_500);
  const tasks = await owner.query<{ kind: string }>(
    `SELECT t.kind FROM task t JOIN corporation c ON c.id = t.corporation_id WHERE c.name = 'Sari' ORDER BY t.id`,
  );
  assert.deepEqual(
    tasks.rows.map(({ kind }) => kind),
    ['opt-outs', 'number_list'],
  );
});

test('tables of playSMS become people with accounts, lists by group and opt-outs', async () => {
  const moved = moveFromPlaySms(
    folderOf({
      'playsms_tblUser.csv':
        'uid,status,username,password,name,mobile,email,sender,footer,credit,token,enable_webservices\n' +
        '1,2,admin,x,Root,,root@play.example,,,0,,0\n' +
        '2,3,lola,5f4d,Lola,+639170000010,lola@play.example,LOLA,Bye,75.25,abc,1\n',
      'playsms_featurePhonebook.csv': 'id,uid,mobile,name\n7,2,+639170000011,Tom\n8,2,+639170000012,Una\n',
      'playsms_featurePhonebook_group.csv': 'id,uid,name,code\n3,2,Friends,FR\n',
      'playsms_featurePhonebook_group_contacts.csv': 'id,gpid,pid\n1,3,7\n',
      'playsms_featureStoplist.csv': 'id,uid,mobile\n1,2,+639170000012\n',
      'playsms_tblSMSOutgoing.csv': 'id\n1\n',
    }),
    { ...OPTIONS, corporation: 'Play' },
  );
  const notes = notesOf(moved);
  for (const words of [
    /"admin" is an administrator/,
    /footer "Bye"/,
    /webservices token of "lola"/,
    /This table is not taken over/,
  ])
    assert.match(notes, words);
  assert.ok(!moved.write().includes('5f4d'));
  await calls(api, (each) => applied(each, moved.write(), Object.fromEntries(moved.secrets), moved.files));
  const { rows } = await owner.query(
    `SELECT u.email, b.name AS account FROM user_account u JOIN billing_account b ON b.id = u.billing_account_id
     JOIN corporation c ON c.id = u.corporation_id WHERE c.name = 'Play'`,
  );
  assert.deepEqual(rows, [{ email: 'lola@play.example', account: 'lola' }]);
  const lists = await owner.query(
    `SELECT l.name FROM number_list l JOIN corporation c ON c.id = l.corporation_id WHERE c.name = 'Play' ORDER BY l.name`,
  );
  assert.deepEqual(lists.rows, [{ name: 'Friends' }, { name: 'Phonebook' }]);
});
