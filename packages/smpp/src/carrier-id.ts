/**
 * How a carrier writes its message id in receipts, compared with submit_sm_resp: the same, or the response in decimal
 * and the receipt in hexadecimal (hex_to_dec), or the other way round (dec_to_hex).
 */
export type CarrierIdRule = 'opaque' | 'hex_to_dec' | 'dec_to_hex';

/**
 * The key under which ids of responses and receipts meet: case-folded, without leading zeros, and converted by the
 * rule. Apply the link's rule to ids from receipts and `opaque` to ids from responses. An id that is no number of
 * the rule's base stays as it is. Exact at any length.
 */
export function normaliseCarrierId(id: string, rule: CarrierIdRule): string {
  const folded = fold(id);
  if (rule === 'hex_to_dec' && HEX.test(folded)) return BigInt(`0x${folded}`).toString();
  if (rule === 'dec_to_hex' && DECIMAL.test(folded)) return BigInt(folded).toString(16);
  return folded;
}

/** Whether the id of a response and the id of a receipt are the same message under the link's rule. */
export const sameCarrierId = (response: string, receipt: string, rule: CarrierIdRule): boolean =>
  normaliseCarrierId(response, 'opaque') === normaliseCarrierId(receipt, rule);

const HEX = /^[0-9a-f]+$/;
const DECIMAL = /^[0-9]+$/;

function fold(id: string): string {
  const lower = id.trim().toLowerCase();
  let zeros = 0;
  while (zeros < lower.length - 1 && lower.charCodeAt(zeros) === 0x30) zeros++;
  return zeros === 0 ? lower : lower.slice(zeros);
}
