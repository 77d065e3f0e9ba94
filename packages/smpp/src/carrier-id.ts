/**
 * Format of a carrier's message id in receipts, compared with submit_sm_resp: the same (opaque), or converted. With
 * hex_to_dec the response is decimal and the receipt hexadecimal; dec_to_hex is the other way round.
 */
export type CarrierIdRule = 'opaque' | 'hex_to_dec' | 'dec_to_hex';

/**
 * Answers the key by which ids of responses and receipts are matched: case-folded, without leading zeros, and converted
 * by the rule. Apply the link's rule to ids from receipts and `opaque` to ids from responses. An id that is no number
 * in the rule's base stays unchanged. Exact at any length.
 */
export function normaliseCarrierId(id: string, rule: CarrierIdRule): string {
  const folded = fold(id);
  if (rule === 'hex_to_dec' && HEX.test(folded)) return BigInt(`0x${folded}`).toString();
  if (rule === 'dec_to_hex' && DECIMAL.test(folded)) return BigInt(folded).toString(16);
  return folded;
}

/** Answers whether the ids of a response and a receipt are of the same message under the link's rule. */
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
