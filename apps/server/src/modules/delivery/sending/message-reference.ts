/**
 * Derives the user_message_reference (SMPP 3.4 §5.3.2.17) of a part, 1..65,535, from the ids, so that it need not be
 * stored. It is not unique; with the recipient's number it nearly is.
 */
export function messageReference(messageId: number, part: number): number {
  const low = messageId % 0x1_0000_0000;
  const high = (messageId - low) / 0x1_0000_0000;
  let mixed = Math.imul(low, 0x9e37_79b1) ^ Math.imul(high, 0x85eb_ca6b) ^ Math.imul(part, 0xc2b2_ae35);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x2c1b_3c6d);
  mixed ^= mixed >>> 16;
  return ((mixed >>> 0) % 0xffff) + 1;
}
