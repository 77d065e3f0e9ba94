import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { moveFromKannel } from '#modules/moving';

const folder = mkdtempSync(join(tmpdir(), 'heliograph-moving-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const OPTIONS = {
  corporation: 'Sari',
  contact: 'it@sari.example',
  numbers: ['2345'],
  blocked: [] as string[],
  today: '2027-01-01',
  enable: false,
};

/** Moves a configuration in; answers its records, its written file and its notes as lines. */
function move(text: string, options = OPTIONS) {
  const file = join(folder, 'kannel.conf');
  writeFileSync(file, text);
  const moved = moveFromKannel(file, options);
  const notes = moved.notes.map(({ kind, line, text: sentence }) => `${kind} ${line} ${sentence}`).join('\n');
  return { moved, notes, written: moved.write() };
}

const smsc = (id: string, more: string) =>
  `group = smsc\nsmsc = smpp\nsmsc-id = ${id}\nhost = a.example\nport = 2775\nsmsc-username = u\n${more}\n\n`;

test('empty lines, quotes, comments and included folders are read as by Kannel', () => {
  mkdirSync(join(folder, 'parts'));
  writeFileSync(
    join(folder, 'parts/one.conf'),
    'group = smsc\nsmsc = smpp\nsmsc-id = "a \\"b\\" \\\\"\nhost = h\nport = 1',
  );
  const { moved } = move(`# group = smsc\ngroup = core\n  # in a group\nlog-level = 0\n   \ninclude = parts\n`);
  assert.deepEqual(
    moved.of('links').map(({ name }) => name),
    ['a "b" \\'],
  );
  assert.throws(() => move('host = a\n'), /kannel\.conf:1: this group has no line "group = …"/);
  assert.throws(() => move('group = core\nadmin-port\n'), /kannel\.conf:2: the line has no equals sign/);
  assert.throws(() => move('include = "missing.conf"\n'), /missing\.conf cannot be read/);
});

test('prefixes become routes of the links that may and prefer them', () => {
  const { moved, notes } = move(
    `group = core\nunified-prefix = "+63,0063,0"\n\n${smsc('a', 'allowed-prefix = "0917;0915"')}${smsc('b', 'preferred-prefix = 0915\ndenied-prefix = +1')}`,
  );
  assert.deepEqual(
    moved.of('carrier-routes').map(({ prefix, links }) => [prefix ?? '', links]),
    [
      [
        '63915',
        [
          { link: 'a', position: 2, weight: 1 },
          { link: 'b', position: 1, weight: 1 },
        ],
      ],
      [
        '63917',
        [
          { link: 'a', position: 1, weight: 1 },
          { link: 'b', position: 1, weight: 1 },
        ],
      ],
      ['', [{ link: 'b', position: 1, weight: 1 }]],
    ],
  );
  assert.match(notes, /A route cannot leave out a prefix: make one for 1 /);
  assert.match(move(smsc('a', 'allowed-prefix = 0917')).notes, /The prefix 0917 has no country code/);
});

test('binds, number types and charsets keep their meaning or are named in a note', () => {
  const { moved, notes } = move(
    smsc(
      'a',
      'receive-port = 2776\nalt-charset = KOI8-R\nthroughput = 2.5\nsource-addr-ton = 3\nsource-addr-autodetect = no\nuse-ssl = yes\nsome-new-thing = 1',
    ),
  );
  const [link] = moved.of('links');
  assert.deepEqual(
    [
      link!['bind_mode'],
      link!['rate'],
      link!['alphanumeric_ton_npi'],
      link!['tls'],
      link!['window_size'],
      link!['enabled'],
    ],
    ['transmitter_receiver', 2, '3/1', true, 10, false],
  );
  for (const words of [
    /receiver binds to port 2775 too/,
    /charset KOI8-R/,
    /2\.5 becomes 2/,
    /without a counterpart: some-new-thing/,
  ])
    assert.match(notes, words);
  assert.match(move('group = smsc\nsmsc = at\nmodemtype = auto\n').notes, /of type at\. Only SMPP and HTTP/);
});

test('blocked numbers come from a file, and no list is dropped silently', () => {
  const text = 'group = core\nblack-list-receiver = "http://h/list"\nwhite-list = "http://h/white"\n';
  assert.match(move(text).notes, /blocked numbers are not in this file\. Fetch http:\/\/h\/list/);
  const list = join(folder, 'black.txt');
  writeFileSync(list, '# no\n639170000099\n\n639170000098\n');
  const { moved, notes } = move(text, { ...OPTIONS, blocked: [list] });
  assert.deepEqual([...moved.files], [['blocked.csv', 'number\n639170000099\n639170000098\n']]);
  assert.doesNotMatch(notes, /Fetch/);
  assert.match(notes, /only numbers that get messages is not possible/);
});

test('services become routings of each number, and those without a number are refused', () => {
  const text =
    'group = sms-service\nkeyword = pay\nget-url = "http://h/a?f=%p&site=ph&t=%a"\n\ngroup = sms-service\nkeyword-regex = x\ntext = hi\n';
  const { moved, notes } = move(text, { ...OPTIONS, numbers: ['2345', '2346'] });
  assert.deepEqual(
    moved.of('routings').map(({ number, url, reply_with_answer }) => [number, url, reply_with_answer]),
    [
      ['2345', 'http://h/a?site=ph', true],
      ['2346', 'http://h/a?site=ph', true],
    ],
  );
  assert.match(notes, /keyword-regex is not possible/);
  assert.match(move(text, { ...OPTIONS, numbers: [] }).notes, /Name it with --number 2345/);
});
