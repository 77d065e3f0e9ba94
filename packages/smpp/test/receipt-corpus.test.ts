import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import {
  type DataSm,
  type DeliverSm,
  decodePdu,
  encodePdu,
  type MessageState,
  type PduFields,
  parseReceipt,
} from '../src/index.ts';

/** Id, state and error of a receipt. */
type Meaning = [id: string, state: MessageState | undefined, error: string];

const DATES = 'sub:001 dlvrd:001 submit date:2601021503 done date:2601021504';

/** Receipts in short_message with esm_class 0x04. */
const TEXTS: readonly [text: string, ...Meaning][] = [
  // Appendix B of SMPP 3.4, with the spellings of its fields that are in use.
  [`id:4711 ${DATES} stat:DELIVRD err:000 text:Your code is 12`, '4711', 'delivered', '000'],
  [`id:4711 ${DATES} stat:DELIVRD err:000 Text:Your code is 12`, '4711', 'delivered', '000'],
  [`id:4711 ${DATES} stat:DELIVRD err:000`, '4711', 'delivered', '000'],
  [`id:4711 ${DATES} stat:DELIVRD err:0 text:`, '4711', 'delivered', '0'],
  [`id:0000004711 ${DATES} stat:UNDELIV err:069 text:x`, '0000004711', 'undeliverable', '069'],
  [`id:4f-11-00a ${DATES} stat:EXPIRED err:003 text:x`, '4f-11-00a', 'expired', '003'],
  [`id:4711 ${DATES} stat:REJECTD err:120 text:x`, '4711', 'rejected', '120'],
  [`id:4711 ${DATES} stat:DELETED err:001 text:x`, '4711', 'deleted', '001'],
  [`id:4711 ${DATES} stat:ACCEPTD err:000 text:x`, '4711', 'accepted', '000'],
  [`id:4711 ${DATES} stat:UNKNOWN err:255 text:x`, '4711', 'unknown', '255'],
  [`id:4711 ${DATES} stat:ENROUTE err:000 text:x`, '4711', 'enroute', '000'],
  [`id:4711 ${DATES} stat:SKIPPED err:000 text:x`, '4711', 'skipped', '000'],
  [`id:4711 ${DATES} stat:SCHEDULED err:000 text:x`, '4711', 'scheduled', '000'],
  // Dates to the second, in four-digit years, with separators, or none.
  [
    'id:4711 sub:001 dlvrd:001 submit date:260102150300 done date:260102150400 stat:DELIVRD err:000 text:x',
    '4711',
    'delivered',
    '000',
  ],
  [
    'id:4711 sub:001 dlvrd:001 submit date:20260102150300 done date:20260102150400 stat:DELIVRD err:000',
    '4711',
    'delivered',
    '000',
  ],
  ['id:4711 sub:1 dlvrd:1 submit date: done date: stat:UNDELIV err:32 text:', '4711', 'undeliverable', '32'],
  ['id:4711 stat:DELIVRD submit_date:2601021503 done_date:2601021504 err:000', '4711', 'delivered', '000'],
  ['id:4711 submitdate:2601021503 donedate:2601021504 stat:EXPIRED err:9', '4711', 'expired', '9'],
  // Fields left out, in another order, in other letters.
  ['id:4711 stat:DELIVRD err:000', '4711', 'delivered', '000'],
  ['id:4711 stat:DELIVRD', '4711', 'delivered', ''],
  ['stat:UNDELIV id:4711', '4711', 'undeliverable', ''],
  ['err:000 stat:DELIVRD id:4711 text:x', '4711', 'delivered', '000'],
  [`ID:4711 SUB:001 DLVRD:001 STAT:DELIVRD ERR:000 TEXT:X`, '4711', 'delivered', '000'],
  ['Id:4711 Sub:001 Dlvrd:001 Stat:Undeliv Err:011 Text:x', '4711', 'undeliverable', '011'],
  [`id: 4711 ${DATES} stat: DELIVRD err: 000`, '4711', 'delivered', '000'],
  [`  id:4711   stat:DELIVRD   err:000  `, '4711', 'delivered', '000'],
  ['id:4711\nstat:DELIVRD\nerr:000\ntext:x', '4711', 'delivered', '000'],
  ['id:4711\r\nstat:EXPIRED\r\nerr:000', '4711', 'expired', '000'],
  ['id:4711\tstat:REJECTD\terr:7', '4711', 'rejected', '7'],
  ['id:4711,stat:DELIVRD,err:000', '4711', 'delivered', '000'],
  ['id:4711;stat:UNDELIV;err:5;text:x', '4711', 'undeliverable', '5'],
  ['id:4711|stat:DELIVRD|err:0', '4711', 'delivered', '0'],
  ['id=4711 stat=DELIVRD err=0', '4711', 'delivered', '0'],
  ['id:4711 status:DELIVRD error:0', '4711', 'delivered', '0'],
  // State words in full, and vendors' own words.
  [`id:4711 ${DATES} stat:DELIVERED err:000 text:x`, '4711', 'delivered', '000'],
  [`id:4711 ${DATES} stat:UNDELIVERABLE err:1 text:x`, '4711', 'undeliverable', '1'],
  [`id:4711 ${DATES} stat:UNDELIVERED err:1 text:x`, '4711', 'undeliverable', '1'],
  [`id:4711 ${DATES} stat:FAILED err:1 text:x`, '4711', 'undeliverable', '1'],
  [`id:4711 ${DATES} stat:REJECTED err:1 text:x`, '4711', 'rejected', '1'],
  [`id:4711 ${DATES} stat:ACCEPTED err:0 text:x`, '4711', 'accepted', '0'],
  [`id:4711 ${DATES} stat:EN_ROUTE err:0 text:x`, '4711', 'enroute', '0'],
  [`id:4711 ${DATES} stat:BUFFRED err:0 text:x`, '4711', undefined, '0'],
  [`id:4711 ${DATES} stat:Buffered err:0 text:x`, '4711', 'enroute', '0'],
  [`id:4711 ${DATES} stat:NOCREDIT err:77 text:x`, '4711', undefined, '77'],
  // Ids in every form.
  [`id:812FC7470000001B ${DATES} stat:DELIVRD err:000 text:x`, '812FC7470000001B', 'delivered', '000'],
  [`id:9308878062554710043 ${DATES} stat:DELIVRD err:000 text:x`, '9308878062554710043', 'delivered', '000'],
  [
    `id:01234567-89ab-cdef-0123-456789abcdef ${DATES} stat:DELIVRD err:000 text:x`,
    '01234567-89ab-cdef-0123-456789abcdef',
    'delivered',
    '000',
  ],
  [`id:${'a'.repeat(64)} stat:DELIVRD err:000`, 'a'.repeat(64), 'delivered', '000'],
  [`id:+4711/2 ${DATES} stat:DELIVRD err:000 text:x`, '+4711/2', 'delivered', '000'],
  // Errors in every form.
  [`id:4711 ${DATES} stat:UNDELIV err:0x0B text:x`, '4711', 'undeliverable', '0x0B'],
  [`id:4711 ${DATES} stat:UNDELIV err:SYS text:x`, '4711', 'undeliverable', 'SYS'],
  [`id:4711 ${DATES} stat:UNDELIV err: text:x`, '4711', 'undeliverable', ''],
  // The subscriber's own words are not fields.
  [`id:4711 ${DATES} stat:DELIVRD err:000 text:id:99 stat:UNDELIV err:1`, '4711', 'delivered', '000'],
  [`id:4711 stat:DELIVRD text:stat:EXPIRED`, '4711', 'delivered', ''],
];

const TEXT = `id:4711 ${DATES} stat:EXPIRED err:003 text:x`;
const octets = Buffer.from(TEXT);
const receipt = (fields: object, command: 'deliver_sm' | 'data_sm' = 'deliver_sm'): PduFields =>
  ({ command, esm_class: 0x04, ...fields }) as PduFields;

/** Receipts outside the text of a deliver_sm. */
const PDUS: readonly [what: string, pdu: PduFields, ...Meaning][] = [
  [
    'id and state as parameters alone',
    receipt({ tlvs: { receipted_message_id: '4711', message_state: 2 } }),
    '4711',
    'delivered',
    '',
  ],
  ['state 3', receipt({ tlvs: { receipted_message_id: '4711', message_state: 3 } }), '4711', 'expired', ''],
  ['state 5', receipt({ tlvs: { receipted_message_id: '4711', message_state: 5 } }), '4711', 'undeliverable', ''],
  ['state 8', receipt({ tlvs: { receipted_message_id: '4711', message_state: 8 } }), '4711', 'rejected', ''],
  [
    'a network error beside them',
    receipt({ tlvs: { receipted_message_id: '4711', message_state: 5, network_error_code: Buffer.from([3, 0, 27]) } }),
    '4711',
    'undeliverable',
    '27',
  ],
  [
    'an id as parameter, the state in the text',
    receipt({ short_message: octets, tlvs: { receipted_message_id: '99' } }),
    '99',
    'expired',
    '003',
  ],
  [
    'a state as parameter, the id in the text',
    receipt({ short_message: octets, tlvs: { message_state: 2 } }),
    '4711',
    'delivered',
    '003',
  ],
  [
    'parameters that contradict the text',
    receipt({ short_message: octets, tlvs: { receipted_message_id: '99', message_state: 2 } }),
    '99',
    'delivered',
    '003',
  ],
  ['the text in message_payload', receipt({ tlvs: { message_payload: octets } }), '4711', 'expired', '003'],
  [
    'the text in UCS-2',
    receipt({ data_coding: 8, short_message: Buffer.from(TEXT, 'utf16le').swap16() }),
    '4711',
    'expired',
    '003',
  ],
  ['the text in Latin-1', receipt({ data_coding: 3, short_message: octets }), '4711', 'expired', '003'],
  ['the text in ASCII', receipt({ data_coding: 1, short_message: octets }), '4711', 'expired', '003'],
  ['a data_sm', receipt({ tlvs: { message_payload: octets } }, 'data_sm'), '4711', 'expired', '003'],
  [
    'a data_sm of parameters',
    receipt({ tlvs: { receipted_message_id: '4711', message_state: 2 } }, 'data_sm'),
    '4711',
    'delivered',
    '',
  ],
  [
    'an intermediate notification',
    receipt({ esm_class: 0x20, short_message: Buffer.from('id:4711 stat:ENROUTE err:0') }),
    '4711',
    'enroute',
    '0',
  ],
];

function read(pdu: PduFields): Meaning {
  const parsed = parseReceipt(decodePdu(encodePdu(pdu)) as DeliverSm | DataSm);
  assert.ok(parsed);
  return [parsed.id, parsed.state, parsed.error];
}

test(`reads receipts of ${TEXTS.length + PDUS.length} shapes as carriers mean them`, () => {
  assert.ok(TEXTS.length + PDUS.length >= 60);
  for (const [text, ...meaning] of TEXTS) {
    assert.deepEqual(read(receipt({ short_message: Buffer.from(text, 'latin1') })), meaning, text);
  }
  for (const [what, pdu, ...meaning] of PDUS) assert.deepEqual(read(pdu), meaning, what);
});
