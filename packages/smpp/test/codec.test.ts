import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import fc from 'fast-check';
import { COMMAND_ID, decodePdu, encodePdu, FrameReader, PduError, type PduFields, STATUS } from '../src/index.ts';
import { anyPdu } from './pdu-arbitrary.ts';

test('decodes every PDU of SMPP 3.4 to what was encoded', () => {
  fc.assert(
    fc.property(anyPdu, (pdu) => {
      const bytes = encodePdu(pdu as PduFields);
      assert.equal(bytes.readUInt32BE(0), bytes.length);
      assert.equal(bytes.readUInt32BE(4), COMMAND_ID[pdu.command]);
      assert.deepEqual(plain(decodePdu(bytes)), plain(pdu));
    }),
    { numRuns: 3_000 },
  );
});

test('the arbitrary covers every command', () => {
  const seen = new Set(fc.sample(anyPdu, 2_000).map((pdu) => pdu.command));
  assert.deepEqual([...seen].sort(), Object.keys(COMMAND_ID).sort());
});

test('a stream cut at any point yields the same PDUs', () => {
  const pdus = [
    encodePdu({
      command: 'submit_sm',
      sequence: 1,
      destination_addr: '639171234567',
      short_message: Buffer.from('one'),
    }),
    encodePdu({ command: 'enquire_link', sequence: 2 }),
    encodePdu({
      command: 'deliver_sm',
      sequence: 3,
      source_addr: '2345',
      tlvs: { message_payload: Buffer.alloc(300, 7) },
    }),
  ];
  const stream = Buffer.concat(pdus);
  for (let first = 0; first <= stream.length; first++) {
    for (let second = first; second <= stream.length; second += first % 7 === 0 ? 1 : 23) {
      const frames: Buffer[] = [];
      const reader = new FrameReader((b, at, length) => frames.push(Buffer.from(b.subarray(at, at + length))));
      for (const chunk of [stream.subarray(0, first), stream.subarray(first, second), stream.subarray(second)])
        reader.push(chunk);
      assert.deepEqual(frames, pdus);
      assert.equal(reader.pending, 0);
    }
  }
  const frames: Buffer[] = [];
  const reader = new FrameReader((b, at, length) => frames.push(Buffer.from(b.subarray(at, at + length))));
  for (const octet of stream) reader.push(Buffer.from([octet]));
  assert.deepEqual(frames, pdus);
});

test('command_length outside 16..65,600 is refused wherever the cut falls', () => {
  for (const length of [0, 1, 15, 65_601, 0x48545450, 0xffffffff]) {
    const bytes = Buffer.alloc(16);
    bytes.writeUInt32BE(length, 0);
    for (let cut = 0; cut <= 16; cut++) {
      const reader = new FrameReader(() => assert.fail('no frame'));
      assert.throws(
        () => {
          reader.push(bytes.subarray(0, cut));
          reader.push(bytes.subarray(cut));
        },
        (error) => error instanceof PduError && error.status === STATUS.RINVCMDLEN,
      );
    }
  }
});

test('refuses a shortened PDU with a status and never reads past its end', () => {
  const whole = encodePdu({
    command: 'submit_sm',
    sequence: 5,
    source_addr: 'ACME',
    destination_addr: '639171234567',
    short_message: Buffer.from('hello'),
  });
  for (let length = 16; length < whole.length; length++) {
    const cut = Buffer.from(whole.subarray(0, length));
    cut.writeUInt32BE(length, 0);
    assert.throws(
      () => decodePdu(cut),
      (error) => error instanceof PduError && error.status > 0,
    );
  }
});

test('refuses fields that the standard does not allow with the status for them', () => {
  const cases: [PduFields, number][] = [
    [{ command: 'submit_sm', source_addr: 'x'.repeat(21) }, STATUS.RINVSRCADR],
    [{ command: 'submit_sm', destination_addr: 'x'.repeat(21) }, STATUS.RINVDSTADR],
    [{ command: 'submit_sm', destination_addr: 'a\0b' }, STATUS.RINVDSTADR],
    [{ command: 'submit_sm', short_message: Buffer.alloc(255) }, STATUS.RINVMSGLEN],
    [{ command: 'submit_sm', data_coding: 256 }, STATUS.RINVPARLEN],
    [{ command: 'submit_sm', validity_period: '0'.repeat(17) }, STATUS.RINVEXPIRY],
    [{ command: 'bind_transceiver', system_id: 'x'.repeat(16) }, STATUS.RINVSYSID],
    [{ command: 'submit_sm', tlvs: { message_payload: Buffer.alloc(65_536) } }, STATUS.RINVPARLEN],
    [{ command: 'submit_sm', tlvs: { message_state: 300 } }, STATUS.RINVOPTPARAMVAL],
  ];
  for (const [pdu, status] of cases) {
    assert.throws(
      () => encodePdu(pdu),
      (error) => error instanceof PduError && error.status === status,
    );
  }
});

test('an unknown parameter is kept raw and a truncated last one is dropped', () => {
  const bytes = encodePdu({
    command: 'submit_sm_resp',
    message_id: 'a1',
    tlvs: { unknown: [{ tag: 0x1500, value: Buffer.from('vendor') }], receipted_message_id: 'z' },
  });
  const cut = Buffer.from(bytes.subarray(0, bytes.length - 1));
  cut.writeUInt32BE(cut.length, 0);
  const pdu = decodePdu(cut);
  assert.ok('tlvs' in pdu && pdu.tlvs?.unknown?.[0]);
  assert.equal(Buffer.from(pdu.tlvs.unknown[0].value).toString(), 'vendor');
  assert.equal(pdu.tlvs.receipted_message_id, undefined);
});

test('refuses a submit, but not a receipt, with a parameter longer than the PDU', () => {
  const tlvs = { unknown: [{ tag: 0x1500, value: Buffer.from('vendor') }] };
  for (const command of ['submit_sm', 'submit_multi', 'data_sm', 'deliver_sm'] as const) {
    const to = { destination_addr: '1', destinations: [{ destination_addr: '1' }] };
    const bytes = encodePdu({ command, ...to, tlvs } as PduFields);
    const cut = Buffer.from(bytes.subarray(0, bytes.length - 1));
    cut.writeUInt32BE(cut.length, 0);
    if (command === 'deliver_sm') assert.equal(decodePdu(cut).command, command);
    else
      assert.throws(
        () => decodePdu(cut),
        (error) => error instanceof PduError && error.status === STATUS.RINVOPTPARSTREAM,
        command,
      );
  }
});

/** Turns octet fields into plain hex, so that views compare with buffers. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, v]) => v !== undefined)
      .map(([k, v]) => [k, plain(v)]),
  );
}
