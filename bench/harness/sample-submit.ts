import { Buffer } from 'node:buffer';
import type { MessageFields } from '../../packages/smpp/src/index.ts';

/** A usual submit of one part, with a request for a receipt. */
export const SAMPLE_SUBMIT: MessageFields = {
  source_addr: 'HELIOGRAPH',
  source_addr_ton: 5,
  source_addr_npi: 0,
  dest_addr_ton: 1,
  dest_addr_npi: 1,
  destination_addr: '639171234567',
  registered_delivery: 1,
  validity_period: '000012000000000R',
  short_message: Buffer.from('Dear customer, your order 12345 is on its way and will arrive before noon today.'),
};
