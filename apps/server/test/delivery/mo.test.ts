import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  concatenationUdh,
  type DeliverSm,
  decodePdu,
  encodePdu,
  encodeShortMessage,
  type MessageFields,
} from '@heliograph/smpp';
import { createLogger } from '#platform/log';
import { type OnInbound, storeInbound } from '../../src/modules/delivery/inbound/hand-on.ts';
import { InboundParts } from '../../src/modules/delivery/inbound/inbound-parts.ts';
import { expireInbound } from '../../src/modules/delivery/sweeps/expire-inbound.ts';
import { senderSession } from './outcome-writer.ts';
import { ownCarrier } from './own-carrier.ts';
import { type Stage, stage, until } from './stage.ts';

const LINK = { id: 1, default_charset: 'gsm' } as const;
const SESSION = { state: 'bound' };
const WORDS = ['one ', 'two ', 'three ', 'four ', 'five'];
const TEXT = WORDS.join('');

/** Makes the part of one process that takes messages from phones. */
function takerOf(s: Stage, name: string, onInbound: OnInbound = storeInbound): InboundParts {
  const taker = new InboundParts(
    senderSession(s, name),
    onInbound,
    createLogger({ LOG_LEVEL: 'silent' }, 'test', process.stderr),
  );
  s.closing.push(() => taker.end());
  return taker;
}

const fieldsOf = (from: string, reference: number, number: number, words = WORDS): MessageFields => ({
  source_addr: from,
  destination_addr: '2929',
  esm_class: 0x40,
  short_message: encodeShortMessage(
    words[number - 1]!,
    'gsm',
    concatenationUdh({ ref: reference, total: words.length, number }),
  ),
});

const partOf = (...given: Parameters<typeof fieldsOf>): DeliverSm =>
  decodePdu(encodePdu({ command: 'deliver_sm', ...fieldsOf(...given) })) as DeliverSm;

/** All orders of a list. */
function* orders<T>(list: readonly T[]): Generator<T[]> {
  if (list.length === 0) yield [];
  for (const [i, first] of list.entries()) for (const rest of orders(list.toSpliced(i, 1))) yield [first, ...rest];
}

const kept = async (s: Stage) =>
  (
    await s.owner.query<{ sender: string; text: string; parts: number; total: number }>(
      'SELECT sender, text, parts, total FROM inbound_message ORDER BY sender, id',
    )
  ).rows;

test('five parts in any order, with doubles, over two processes make one message', async (t) => {
  const s = await stage(t);
  const all = [...orders([1, 2, 3, 4, 5])];
  let [one, two] = [takerOf(s, 'one'), takerOf(s, 'two')];
  const senders = all.map((_, i) => `63917${String(i).padStart(7, '0')}`);
  for (let place = 0; place < 5; place++) {
    const takings = all.flatMap((order, i) => {
      const part = () => partOf(senders[i]!, i % 256, order[place]!);
      const takers = i % 2 === 0 ? [one, two] : [two, one];
      // Every third part comes twice at the same time, through both; every fifth came before.
      const twice = i % 3 === 0 ? [takers[1]!.take(part(), LINK, SESSION)] : [];
      const before =
        i % 5 === 0 && place > 0 ? [takers[1]!.take(partOf(senders[i]!, i % 256, order[0]!), LINK, SESSION)] : [];
      return [takers[0]!.take(part(), LINK, SESSION), ...twice, ...before];
    });
    await Promise.all(takings);
    if (place === 2) [one, two] = [takerOf(s, 'one again'), takerOf(s, 'two again')];
  }
  // A part that the carrier sends again after its message is complete is also recognized.
  await Promise.all(all.map((order, i) => one.take(partOf(senders[i]!, i % 256, order[4]!), LINK, SESSION)));
  assert.deepEqual(
    await kept(s),
    senders.map((sender) => ({ sender, text: TEXT, parts: 5, total: 5 })),
  );
  assert.deepEqual(await s.one('SELECT count(*) AS waiting FROM inbound_part WHERE handed_on_at IS NULL'), {
    waiting: 0,
  });
});

test('parts with the same reference from two phones, or to two numbers, never mix', async (t) => {
  const s = await stage(t);
  const taker = takerOf(s, 'taker');
  const talks = [
    ['639170000001', '2929', 'a'],
    ['639170000002', '2929', 'b'],
    ['639170000001', '3939', 'c'],
  ] as const;
  for (const number of [3, 1, 2])
    for (const [from, destination_addr, mark] of talks) {
      const part = partOf(
        from,
        7,
        number,
        [1, 2, 3].map((place) => `${mark}${place} `),
      );
      await taker.take({ ...part, destination_addr }, LINK, SESSION);
    }
  assert.deepEqual(
    (await kept(s)).map(({ sender, text, parts }) => [sender, text.trim(), parts]),
    [
      ['639170000001', 'a1 a2 a3', 3],
      ['639170000001', 'c1 c2 c3', 3],
      ['639170000002', 'b1 b2 b3', 3],
    ],
  );
});

test('a reference that is used again starts a new message', async (t) => {
  const s = await stage(t);
  const taker = takerOf(s, 'taker');
  const bring = async (number: number, words: string[]) => taker.take(partOf('63917', 7, number, words), LINK, SESSION);
  await bring(1, ['a1 ', 'a2']);
  await bring(2, ['a1 ', 'a2']);
  await bring(2, ['b1 ', 'b2']);
  await bring(1, ['b1 ', 'b2']);
  await bring(1, ['c1 ', 'c2']);
  await bring(1, ['d1 ', 'd2']);
  await bring(2, ['d1 ', 'd2']);
  assert.deepEqual(
    (await kept(s)).map(({ text, parts }) => [text, parts]),
    [
      ['a1 a2', 2],
      ['b1 b2', 2],
      ['c1 …', 1],
      ['d1 d2', 2],
    ],
  );
});

test('parts that stay incomplete are handed on after a while, marked, and once', async (t) => {
  const s = await stage(t);
  const link = await s.addLink({ port: 9 });
  const taker = takerOf(s, 'taker');
  for (const number of [4, 2]) await taker.take(partOf('63917', 1, number), { ...LINK, id: link }, SESSION);
  const pool = s.database.pool('sender');
  const sweep = () => Promise.all([1, 2].map(() => expireInbound(pool, storeInbound)));
  await sweep();
  assert.deepEqual(await kept(s), []);
  await s.owner.query(`UPDATE inbound_part SET received_at = now() - interval '16 minutes'`);
  await sweep();
  await sweep();
  assert.deepEqual(await kept(s), [{ sender: '63917', text: '…two …four …', parts: 2, total: 5 }]);
  await s.owner.query(`UPDATE inbound_part SET handed_on_at = now() - interval '11 minutes'`);
  await sweep();
  assert.deepEqual(await s.one('SELECT count(*) AS parts FROM inbound_part'), { parts: 0 });
});

test('a message that cannot be stored is left to the carrier, which sends it again', async (t) => {
  const s = await stage(t);
  let refusals = 3;
  const moody: OnInbound = async (client, messages) => {
    if (refusals-- > 0) throw Object.assign(new Error('busy'), { code: '55P03' });
    await storeInbound(client, messages);
  };
  const taker = takerOf(s, 'taker', moody);
  const words = ['x ', 'y'];
  await taker.take(partOf('63917', 1, 1, words), LINK, SESSION);
  for (let i = 0; i < 3; i++) await assert.rejects(taker.take(partOf('63917', 1, 2, words), LINK, SESSION), /busy/);
  await taker.take(partOf('63917', 1, 2, words), LINK, SESSION);
  assert.deepEqual(await kept(s), [{ sender: '63917', text: 'x y', parts: 2, total: 2 }]);
});

test('equal messages count each time, except those resent after their session ended', async (t) => {
  const s = await stage(t);
  const taker = takerOf(s, 'one');
  const [first, second] = [{ state: 'bound' }, { state: 'bound' }];
  const vote = () => {
    const pdu = { command: 'deliver_sm', source_addr: '639171234567', destination_addr: '2929' } as const;
    return decodePdu(encodePdu({ ...pdu, short_message: encodeShortMessage('YES', 'gsm') })) as DeliverSm;
  };
  await taker.take(vote(), LINK, first);
  await taker.take(vote(), LINK, second);
  await taker.take(vote(), LINK, first);
  assert.equal((await kept(s)).length, 3);
  first.state = 'closed';
  second.state = 'closed';
  const third = { state: 'bound' };
  for (let i = 0; i < 4; i++) await taker.take(vote(), LINK, third);
  assert.equal((await kept(s)).length, 4, 'the three that came before are brought again, the fourth is new');
});

test('messages from a phone arrive through the link in any length and alphabet', async (t) => {
  const s = await stage(t);
  const carrier = await ownCarrier(s, () => undefined);
  await s.addLink({ port: carrier.port });
  await s.sender();
  await until('it is bound', () => carrier.sessions.length === 1);
  for (const number of [5, 1, 3, 3, 2, 4]) carrier.deliver(fieldsOf('639170000001', 9, number));
  const to = { source_addr: '639170000002', destination_addr: '2929' };
  carrier.deliver({ ...to, data_coding: 8, short_message: encodeShortMessage('Привет 😀', 'ucs2') });
  carrier.deliver({ ...to, short_message: encodeShortMessage('STOP @ €5', 'gsm') });
  carrier.deliver({ ...to, data_coding: 4, short_message: Buffer.from([0x00, 0x41, 0x00]) });
  carrier.sessions[0]!.request(
    { command: 'data_sm', ...to, tlvs: { message_payload: Buffer.from('a long payload '.repeat(20)) } },
    {},
  );
  await until('all are answered', () => carrier.answers.length === 10);
  assert.ok(carrier.answers.every((status) => status === 0));
  assert.deepEqual(
    (await kept(s)).map(({ text }) => text),
    [TEXT, 'Привет 😀', 'STOP @ €5', '004100', 'a long payload '.repeat(20)],
  );
});
