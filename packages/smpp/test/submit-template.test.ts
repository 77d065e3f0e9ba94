import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import fc from 'fast-check';
import { COMMAND_ID } from '../src/commands.ts';
import { encodeMessage } from '../src/encode.ts';
import { SubmitTemplate } from '../src/submit-template.ts';
import { PduError, PduWriter } from '../src/wire.ts';

const address = fc.stringMatching(/^[0-9A-Za-z]{0,20}$/);
const octet = fc.integer({ min: 0, max: 255 });

test('a submit_sm of a template equals, octet by octet, one encoded whole', () => {
  fc.assert(
    fc.property(
      fc.record({
        service_type: fc.stringMatching(/^[A-Z]{0,5}$/),
        source_addr_ton: octet,
        source_addr_npi: octet,
        source_addr: address,
        dest_addr_ton: octet,
        dest_addr_npi: octet,
        esm_class: octet,
        validity_period: fc.constantFrom('', '000001000000000R'),
        data_coding: octet,
        short_message: fc.uint8Array({ maxLength: 254 }),
      }),
      fc.array(fc.tuple(address, fc.option(fc.integer({ min: 0, max: 0xffff }), { nil: undefined })), { maxLength: 5 }),
      fc.integer({ min: 1, max: 0x7fffffff }),
      (fields, destinations, sequence) => {
        const template = new SubmitTemplate(fields);
        const written = new PduWriter(16);
        const whole = new PduWriter(16);
        for (const [destination_addr, reference] of destinations) {
          template.write(written, sequence, destination_addr, reference);
          const tlvs = reference === undefined ? undefined : { user_message_reference: reference };
          encodeMessage(whole, COMMAND_ID.submit_sm, sequence, { ...fields, destination_addr, tlvs });
        }
        assert.deepEqual(Buffer.from(written.view()), Buffer.from(whole.view()));
      },
    ),
    { numRuns: 500 },
  );
});

test('refuses a destination or reference that the standard does not allow', () => {
  const template = new SubmitTemplate({ source_addr: 'Bench', short_message: Buffer.from('hi') });
  const writer = new PduWriter(16);
  for (const [destination, reference] of [
    ['6'.repeat(21), undefined],
    ['63917\0', undefined],
    ['639171234567', 0x10000],
    ['639171234567', -1],
  ] as const) {
    assert.throws(() => template.write(writer, 1, destination, reference), PduError);
    assert.equal(writer.length, 0);
  }
});
