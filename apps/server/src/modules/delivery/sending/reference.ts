/** Recipients whose last reference is remembered; twice as many at most. */
const GENERATION = 100_000;

let young = new Map<string, number>();
let old = new Map<string, number>();

/**
 * The next 8-bit concatenation reference for a recipient. Counted a recipient, so that a phone meets the same
 * reference again only after 255 other messages, and its halves never mix.
 */
export function nextReference(msisdn: string): number {
  const last = young.get(msisdn) ?? old.get(msisdn) ?? Math.floor(Math.random() * 256);
  const next = (last + 1) % 256;
  young.set(msisdn, next);
  if (young.size >= GENERATION) {
    old = young;
    young = new Map();
  }
  return next;
}
