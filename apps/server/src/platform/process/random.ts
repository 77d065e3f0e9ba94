import { randomFillSync } from 'node:crypto';

/** Random bytes for the next callers. Drawing them one by one costs some microseconds each. */
const drawn = Buffer.alloc(8_192);
let used = drawn.length;

/** Returns at most 8,192 bytes from the random source of the system; no byte is returned twice. */
export function randomPiece(bytes: number): Buffer {
  if (used + bytes > drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const piece = Buffer.from(drawn.subarray(used, used + bytes));
  drawn.fill(0, used, used + bytes);
  used += bytes;
  return piece;
}
