import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewMessage } from '#modules/delivery';
import { type Campaign, type Stage, stage, until } from '../delivery/stage.ts';
import { type Wire, wireCarrier } from './wire-carrier.ts';

const NUMBER = '639170000001';
const hex = (text: string) => text.replace(/\s/g, '').toLowerCase();
const body = ({ pdu }: Wire) => Buffer.from(pdu.short_message).toString('hex');
/** A text of 161 septets: one more than a single part holds. */
const LONG = 'A'.repeat(161);
/** Maximum time between the creation of a message and its check, even on a slow machine. */
const SLOWEST_MS = 600_000;

interface Case {
  name: string;
  link: Record<string, unknown>;
  message: Partial<NewMessage>;
  shared?: { flash?: boolean; sender_id?: string };
  expiresIn?: string;
  /** Number of segments that must arrive. */
  segments?: number;
  check(wires: Wire[]): void;
}

/** Returns a check for one part with these octets and this data_coding. */
const one =
  (octets: string, dataCoding = 0) =>
  ([wire]: Wire[]) => {
    assert.equal(body(wire!), hex(octets));
    assert.equal(wire!.pdu.data_coding, dataCoding);
    assert.equal(wire!.pdu.esm_class, 0);
  };

const CASES: readonly Case[] = [
  { name: 'GSM, an octet a character', link: {}, message: { text: '@é€' }, check: one('00 05 1b65') },
  {
    name: 'GSM packed to seven bits',
    link: { default_charset: 'gsm_packed' },
    message: { text: 'hellohello' },
    check: one('e8329bfd4697d9ec37'),
  },
  {
    name: 'Latin-1 by default',
    link: { default_charset: 'latin1' },
    message: { text: '@é' },
    check: one('40 e9'),
  },
  { name: 'ASCII by default', link: { default_charset: 'ascii' }, message: { text: '@e' }, check: one('40 65') },
  {
    name: 'what ASCII lacks goes as explicit Latin-1',
    link: { default_charset: 'ascii' },
    message: { text: 'Niño' },
    check: one('4e 69 f1 6f', 3),
  },
  {
    name: 'what Latin-1 lacks goes as UCS-2 where one part holds it',
    link: { default_charset: 'latin1' },
    message: { text: '5€' },
    check: one('0035 20ac', 8),
  },
  {
    name: 'long by UDH of 8 bits',
    link: {},
    message: { text: LONG, parts: 2 },
    segments: 2,
    check: ([first, second]) => {
      assert.match(body(first!), /^050003..0201(41){153}$/);
      assert.match(body(second!), /^050003..0202(41){8}$/);
      assert.equal(body(first!).slice(6, 8), body(second!).slice(6, 8), 'one reference');
      assert.equal(first!.pdu.esm_class, 0x40);
    },
  },
  {
    name: 'long by UDH of 16 bits, a septet less in each part',
    link: { long_messages: 'udh_16' },
    message: { text: LONG, parts: 2 },
    segments: 2,
    check: ([first, second]) => {
      assert.match(body(first!), /^060804....0201(41){152}$/);
      assert.match(body(second!), /^060804....0202(41){9}$/);
    },
  },
  {
    name: 'UDH of 16 bits makes no part that was not priced',
    link: { long_messages: 'udh_16' },
    message: { text: 'A'.repeat(306), parts: 2 },
    segments: 2,
    check: (wires) => {
      for (const wire of wires) assert.match(body(wire), /^050003..020.(41){153}$/);
    },
  },
  {
    name: 'long and packed: septets begin on a boundary behind the UDH',
    link: { default_charset: 'gsm_packed' },
    message: { text: LONG, parts: 2 },
    segments: 2,
    check: ([first, second]) => {
      // Header of 6 octets, one fill bit, and 153 septets of seven bits: 140 octets.
      assert.equal(first!.pdu.short_message.length, 140);
      assert.match(body(second!), /^050003..020282c16030180c0601$/);
    },
  },
  {
    name: 'long by sar_* parameters',
    link: { long_messages: 'sar' },
    message: { text: LONG, parts: 2 },
    segments: 2,
    check: ([first, second]) => {
      assert.equal(body(first!), '41'.repeat(153));
      assert.equal(first!.pdu.esm_class, 0);
      const { sar_msg_ref_num: reference, ...rest } = first!.pdu.tlvs!;
      assert.deepEqual(rest, { sar_total_segments: 2, sar_segment_seqnum: 1 });
      assert.deepEqual(second!.pdu.tlvs, {
        sar_msg_ref_num: reference,
        sar_total_segments: 2,
        sar_segment_seqnum: 2,
      });
    },
  },
  {
    name: 'long in one message_payload',
    link: { long_messages: 'payload' },
    message: { text: LONG, parts: 2 },
    check: ([wire]) => {
      assert.equal(wire!.pdu.short_message.length, 0);
      assert.equal(Buffer.from(wire!.pdu.tlvs!.message_payload!).toString('hex'), '41'.repeat(161));
      // Tag 0x0424 and its length as they appear in the octets.
      assert.ok(wire!.octets.toString('hex').includes('042400a1'));
    },
  },
  {
    name: 'validity relative',
    link: {},
    message: {},
    check: ([wire]) => {
      const [, hours, minutes, seconds] = /^000000(\d\d)(\d\d)(\d\d)000R$/.exec(wire!.pdu.validity_period)!;
      const left = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
      // The validity is two hours from the creation, counted when the message leaves.
      assert.ok(left <= 7_200 && left > 7_200 - SLOWEST_MS / 1_000, `${left} s`);
    },
    expiresIn: '2 hours',
  },
  {
    name: 'validity absolute',
    link: { validity_format: 'absolute' },
    message: {},
    check: ([wire]) => {
      assert.match(wire!.pdu.validity_period, /^\d{12}000\+$/);
      const [years, months, days, hours, minutes, seconds] = wire!.pdu.validity_period.match(/\d\d/g)!;
      const ends = Date.parse(`20${years}-${months}-${days}T${hours}:${minutes}:${seconds}Z`);
      const left = ends - Date.now();
      assert.ok(left <= 7_200_000 && left > 7_200_000 - SLOWEST_MS, `${left} ms`);
    },
    expiresIn: '2 hours',
  },
  {
    name: 'validity none',
    link: { validity_format: 'none' },
    message: {},
    check: ([wire]) => assert.equal(wire!.pdu.validity_period, ''),
  },
  ...(
    [
      ['class_0x10', 'Hi', 0x10, undefined],
      ['class_0x10', 'Пр', 0x18, undefined],
      ['class_0xf0', 'Hi', 0xf0, undefined],
      ['subunit', 'Hi', 0x00, { dest_addr_subunit: 1 }],
      ['subunit', 'Пр', 0x08, { dest_addr_subunit: 1 }],
    ] as const
  ).map(
    ([flash_dialect, text, dataCoding, tlvs]): Case => ({
      name: `flash by ${flash_dialect} of ${text}`,
      link: { flash_dialect },
      shared: { flash: true },
      message: { text, unicode: text === 'Пр' },
      check: ([wire]) => {
        assert.equal(wire!.pdu.data_coding, dataCoding);
        assert.deepEqual(wire!.pdu.tlvs, tlvs);
      },
    }),
  ),
  ...(
    [
      ['Acme', {}, [5, 0], 'Acme'],
      ['Acme', { alphanumeric_ton_npi: '5/1' }, [5, 1], 'Acme'],
      ['4477', { short_code_ton_npi: '3/0' }, [3, 0], '4477'],
      ['+639171234567', { number_ton_npi: '2/8' }, [2, 8], '639171234567'],
    ] as const
  ).map(
    ([sender_id, link, wanted, address]): Case => ({
      name: `TON/NPI ${wanted.join('/')} of ${sender_id}`,
      link,
      shared: { sender_id },
      message: {},
      check: ([wire]) => {
        const { source_addr_ton, source_addr_npi, source_addr } = wire!.pdu;
        assert.deepEqual([source_addr_ton, source_addr_npi, source_addr], [...wanted, address]);
      },
    }),
  ),
  {
    name: 'TON/NPI of recipients',
    link: { destination_ton_npi: '0/1' },
    message: {},
    check: ([wire]) => assert.deepEqual([wire!.pdu.dest_addr_ton, wire!.pdu.dest_addr_npi], [0, 1]),
  },
  ...(
    [
      ['none', 0],
      ['final', 1],
      ['failure', 2],
      ['final_and_intermediate', 0x11],
    ] as const
  ).map(
    ([registered_delivery, wanted]): Case => ({
      name: `registered_delivery of ${registered_delivery}`,
      link: { registered_delivery },
      message: {},
      check: ([wire]) => assert.equal(wire!.pdu.registered_delivery, wanted),
    }),
  ),
];

/** Waits until every link may take its messages, because messages of a link that is down leave by another. */
const allUp = (s: Stage) =>
  until('all links are up', async () => {
    const { waiting } = await s.one<{ waiting: number }>(
      `SELECT count(*)::integer AS waiting FROM link l LEFT JOIN link_health h ON h.link_id = l.id
       WHERE h.state IS DISTINCT FROM 'up'`,
    );
    return waiting === 0;
  });

test('the octets on the wire follow each setting of a link', async (t) => {
  const s = await stage(t);
  const carrier = await wireCarrier(t);
  const accountOf = (index: number) => `case${index}`;
  const links: number[] = [];
  for (const [index, { link }] of CASES.entries()) {
    const settings = {
      port: carrier.port,
      name: `Link ${index}`,
      system_id: accountOf(index),
      message_reference: false,
      ...link,
    };
    links.push(await s.addLink(settings));
  }
  await s.sender();
  await allUp(s);
  const campaigns: Campaign[] = [];
  for (const [index, { message, shared, expiresIn }] of CASES.entries()) {
    const about = { shared: { link_id: links[index]!, ...shared }, ...(expiresIn && { expiresIn }) };
    campaigns.push(await s.campaign([{ msisdn: NUMBER, text: 'Hi', ...message }], about));
  }
  for (const [index, { name, segments = 1, check }] of CASES.entries()) {
    await until(`${name} has arrived`, () => carrier.of(accountOf(index)).length >= segments);
    const wires = carrier.of(accountOf(index));
    assert.equal(wires.length, segments, name);
    await t.test(name, () => check(wires));
  }
  await t.test('every form of a message was charged by its parts', async () => {
    for (const [index, { id }] of campaigns.entries()) {
      const parts = CASES[index]!.message.parts ?? 1;
      await until(`case ${index} is charged`, async () => (await s.counters(id))['submitted'] === 1);
      const row = await s.one<{ charged: number }>(
        `SELECT coalesce(sum(abs(amount)), 0)::bigint AS charged FROM ledger_transfer WHERE campaign_id = $1 AND kind = 'charge'`,
        [id],
      );
      assert.equal(row.charged, parts * 350, CASES[index]!.name);
    }
  });
});

test('a text that its priced parts cannot carry fails and costs nothing', async (t) => {
  const s = await stage(t);
  const carrier = await wireCarrier(t);
  const link_id = await s.addLink({ port: carrier.port, default_charset: 'ascii', system_id: 'x' });
  const text = `${'a'.repeat(100)}€`;
  const { id } = await s.campaign(
    [
      { msisdn: NUMBER, text },
      { msisdn: '639170000002', text: 'plain' },
    ],
    { shared: { link_id } },
  );
  await s.sender();
  await until('one is submitted, one failed', async () => {
    const { submitted, failed } = await s.counters(id);
    return submitted === 1 && failed === 1;
  });
  const { error_code } = await s.one<{ error_code: string }>('SELECT error_code FROM outcome');
  assert.equal(error_code, 'alphabet_mismatch');
  assert.equal((await s.account()).reserved, 0);
  assert.equal(carrier.of('x').length, 1);
});
