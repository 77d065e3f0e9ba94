import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileText } from '@heliograph/contract/kernel/merge-fields';
import { countParts, segment as shownSegments } from '@heliograph/contract/kernel/segments';
import { type Random, seededRandom, seedOf } from '@heliograph/fault-kit';
import { decodeShortMessage, type MessageFields, splitUdh } from '@heliograph/smpp';
import { composer } from '../../src/modules/campaigns/composer.ts';
import { Deltas } from '../../src/modules/delivery/outcomes/deltas.ts';
import type { ChunkContext, Message } from '../../src/modules/delivery/segment.ts';
import type { Link } from '../../src/modules/delivery/sending/link.ts';
import { SubmitFields } from '../../src/modules/delivery/sending/submit-fields.ts';

const COUNT = 100_000;
const seed = seedOf('FAULT_SEED');
const PRICE = 350;
const MOST_OCTETS = 140;
/** Maximum septets, unpacked, in a part without and with a header. */
const MOST_SEPTETS = { one: 160, many: 153 };

const CHEAP = [...'abc XYZ019@£$¥èéùìòÇ\nØøÅå_ÆæßÉ¡¿ñüà'];
const DEAR = [...'^{}\\[~]|€\f'];
const WIDE = [...'яЖ漢字かé中“”—ç₱', '😀', '👩‍👩‍👧', '\ud83d', '\udc00', 'e\u0301'];

/** Makes a text around the limits of parts, where mistakes occur, in any alphabet. */
function draw(random: Random): string {
  const wide = random.chance(0.5);
  const units = wide ? [70, 67] : [160, 153];
  const aim =
    1 + (random.chance(0.7) ? random.pick(units) * (1 + random.below(3)) + random.below(9) - 5 : random.below(400));
  let text = '';
  while (text.length < aim) {
    const kind = random.next();
    text += kind < 0.75 ? random.pick(CHEAP) : kind < 0.9 || !wide ? random.pick(DEAR) : random.pick(WIDE);
  }
  return text;
}

const LINK: Link = {
  id: 1,
  name: 'Carrier',
  virtual: false,
  http: null,
  callback_key: '',
  host: '127.0.0.1',
  port: 2775,
  tls: false,
  tls_ca: null,
  tls_verify_name: true,
  system_id: 'x',
  password_sealed: '',
  system_type: '',
  bind_mode: 'transceiver',
  binds: 1,
  window_size: 100,
  rate: null,
  id_rule: 'as_is',
  learned_id_rule: null,
  default_charset: 'gsm',
  long_messages: 'udh_8',
  validity_format: 'relative',
  flash_dialect: 'class_0x10',
  alphanumeric_ton_npi: '5/0',
  short_code_ton_npi: '0/1',
  number_ton_npi: '1/1',
  destination_ton_npi: '1/1',
  registered_delivery: 'final',
  sniff_receipts: false,
  message_reference: false,
  receipt_words: [],
  parameters: [],
  number_rules: [],
  sender_rules: [],
  text_rules: [],
  test_rate: 0,
  enquire_link_seconds: 30,
  response_seconds: 30,
  bind_seconds: 10,
  draining: false,
};

const CHUNK: ChunkContext = {
  id: 1,
  corporation_id: 1,
  department_id: 0,
  user_id: 0,
  billing_account_id: 1,
  campaign_id: 1,
  class: 'bulk',
  channel: 'console',
  sender_id: 'LAMPS',
  created_at: 0,
  flash: false,
  charge_on_delivery: false,
  reseller: null,
  common_text: null,
  expires_at: null,
  spread: false,
  confirms_opt_out: false,
  tells: false,
  parameters: null,
  ported: null,
};

const WAYS = ['udh_8', 'udh_16', 'sar'] as const;
const writers = WAYS.map((long_messages) => new SubmitFields({ ...LINK, long_messages }));
/** Composer that the quote counts with and the campaign writes with, for a text from a merge field. */
const compose = composer({
  text: compileText('{name}'),
  languages: null,
  own_texts: false,
  short_link_base: null,
  ending: '',
  defaults: {},
  skip_default_param: false,
  blocked: () => false,
  web: null,
  templates: null,
});

/** Returns the octets of a part without its header. */
function body(fields: MessageFields): Uint8Array {
  return splitUdh(fields.short_message ?? new Uint8Array(), fields.esm_class ?? 0).body;
}

function checkPart(fields: MessageFields, several: boolean): void {
  const octets = fields.short_message!;
  const content = body(fields);
  if (fields.data_coding === 8) {
    assert.ok(octets.length <= MOST_OCTETS, `${octets.length} octets`);
    const last = content.length >= 2 ? content[content.length - 2]! : 0;
    const first = content.length >= 2 ? content[0]! : 0;
    // If a pair is cut in two, one part ends with a high half and the next one begins with a low half.
    halves.push([last >= 0xd8 && last <= 0xdb, first >= 0xdc && first <= 0xdf]);
  } else {
    assert.ok(content.length <= (several ? MOST_SEPTETS.many : MOST_SEPTETS.one), `${content.length} septets`);
    assert.notEqual(content[content.length - 1], 0x1b, 'an escape at the end');
  }
}

let halves: [endsHigh: boolean, startsLow: boolean][] = [];

test(`${COUNT} random texts are sent and charged as shown (FAULT_SEED=${seed})`, () => {
  const random = seededRandom(seed);
  for (let i = 0; i < COUNT; i++) {
    const text = draw(random);
    const { parts, encoding } = countParts(text);
    const shown = shownSegments(text);
    assert.equal(shown.parts.length, parts, 'shown');
    const composed = compose({ name: text });
    if (!composed.reason)
      assert.deepEqual([composed.text, composed.parts, composed.unicode], [text, parts, encoding === 'ucs2'], 'quoted');
    const message: Message = {
      id: 1_024 + i,
      chunk: CHUNK,
      msisdn: '639171234567',
      text,
      parts,
      unit_price: PRICE,
      reference: i % 256,
      answered_at: 0,
    };
    const fields = random.pick(writers);
    const segments = fields.segmentsOf(message);
    assert.equal(segments.length, parts, 'sent');
    halves = [];
    const deltas = new Deltas();
    let sent = '';
    for (const segment of segments) {
      const written = fields.of(segment, 0);
      checkPart(written, parts > 1);
      sent += decodeShortMessage(body(written), written.data_coding ?? 0);
      deltas.submission(message, segment.part, true);
    }
    assert.equal(sent, text, `what arrives, in ${encoding}`);
    const cut = halves.findIndex(([high], n) => high && halves[n + 1]?.[1]);
    assert.equal(cut, -1, `a pair is cut behind part ${cut + 1} of ${JSON.stringify(text)}`);
    const charged = deltas.settlements('x').reduce((sum, { amount }) => sum + amount, 0);
    assert.equal(charged, parts * PRICE, 'charged');
  }
});
