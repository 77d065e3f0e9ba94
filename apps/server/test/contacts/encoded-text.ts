import type { TextEncoding } from '@heliograph/contract/kernel/file-reading';

/** Bytes of each character by encoding, learned from TextDecoder: Node has no encoder for them. */
const tables = new Map<string, Map<string, Buffer>>();

/** Encodes a text in an encoding that TextDecoder knows. */
export function encode(text: string, encoding: TextEncoding): Buffer {
  if (encoding === 'utf-8' || encoding === 'utf-16le') return Buffer.from(text, encoding);
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const table = tables.get(encoding) ?? new Map<string, Buffer>();
  if (!tables.has(encoding)) {
    const decoder = new TextDecoder(encoding, { fatal: true });
    const learn = (bytes: Buffer) => {
      try {
        const shown = decoder.decode(bytes);
        if ([...shown].length === 1 && !table.has(shown)) table.set(shown, bytes);
      } catch {
        // No character has these bytes.
      }
    };
    for (let byte = 0; byte < 256; byte++) learn(Buffer.of(byte));
    for (let lead = 0x81; lead < 0xff; lead++)
      for (let trail = 0x40; trail < 0xff; trail++) learn(Buffer.of(lead, trail));
    tables.set(encoding, table);
  }
  return Buffer.concat(Array.from(text, (character) => table.get(character)!));
}
