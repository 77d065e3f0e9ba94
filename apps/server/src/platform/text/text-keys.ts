import { hkdfSync, randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { type Queryable, rowsOf } from '../database/queryable.ts';
import { open, seal, secretKey } from '../process/seal.ts';
import { CODE_KEY, isSealed, openSealed, readPlaced, type TextKey, wholeText, withDots } from './sealed-text.ts';

/** Configuration that names the key of the installation. */
export type KeyConfig = Pick<Config, 'SECRET_KEY' | 'DATA_DIR'>;

/** Row of a key that new texts are encrypted with. */
export interface StoredTextKey {
  corporation_id: number;
  number: number;
  key_sealed: string;
}

/** Name of a key under which the key of the installation seals it. */
export const textKeyContext = (corporation_id: number, number: number): string =>
  `text_key.key.${corporation_id}.${number}`;

/** Makes a key, sealed by that of the installation. */
export const newTextKey = (config: KeyConfig, corporation_id: number, number: number): string =>
  seal(secretKey(config), randomBytes(32).toString('base64'), textKeyContext(corporation_id, number));

/** Opens a key with that of the installation; throws if this process has another one. */
export function openTextKey(installation: Buffer, { corporation_id, number, key_sealed }: StoredTextKey): TextKey {
  const key = Buffer.from(open(installation, key_sealed, textKeyContext(corporation_id, number)), 'base64');
  return { corporation_id, number, key };
}

/** Returns the key of texts with codes of a corporation that has no key of its own. It is derived from that of the installation. */
export const codeTextKey = (installation: Buffer, corporation_id: number): TextKey => ({
  corporation_id,
  number: CODE_KEY,
  key: Buffer.from(hkdfSync('sha256', installation, '', `texts with codes ${corporation_id}`, 32)),
});

/** Reads the keys with which new texts of corporations are encrypted; those without one are left out. */
export async function currentTextKeys(
  db: Queryable,
  config: KeyConfig,
  corporations: readonly number[],
): Promise<ReadonlyMap<number, TextKey>> {
  if (corporations.length === 0) return new Map();
  const rows = await rowsOf<StoredTextKey>(
    db,
    "SELECT corporation_id, number, key_sealed FROM text_key WHERE corporation_id = ANY ($1::bigint[]) AND state = 'current'",
    [[...new Set(corporations)]],
  );
  if (rows.length === 0) return new Map();
  const installation = secretKey(config);
  return new Map(rows.map((row) => [row.corporation_id, openTextKey(installation, row)]));
}

/** Reads the key with which new texts of a corporation are encrypted; null if they are not. */
export const currentTextKey = async (
  db: Queryable,
  config: KeyConfig,
  corporation_id: number,
): Promise<TextKey | null> => (await currentTextKeys(db, config, [corporation_id])).get(corporation_id) ?? null;

/** Reason for which a text cannot be shown: its key was destroyed at a time, or it does not belong to its row. */
export type Closed = { destroyed_at: string } | 'unreadable';

/** Returns a text, or why it cannot be shown. */
export type TextOpener = (text: string) => { text: string } | { closed: Closed };

interface KeyRow {
  corporation_id: number;
  number: number;
  key_sealed: string | null;
  destroyed_at: string | null;
}

/** Keys that were read, by corporation and number. */
export type ReadKeys = Map<number, ReadonlyMap<number, TextKey | { destroyed_at: string }>>;

/**
 * Returns the opener of encrypted texts with their places. It reads their keys in the caller's transaction: a destroyed
 * key opens nothing from its commit on. `keys` keeps those of corporations that were read before, for one piece of work.
 * Throws if the key of the installation is another one. Codes are dots for people: only phones get the `whole` text.
 */
export async function openerOf(
  db: Queryable,
  config: KeyConfig,
  texts: Iterable<string>,
  keys: ReadKeys = new Map(),
  { whole = false }: { whole?: boolean } = {},
): Promise<TextOpener> {
  const ofCodes = new Set<number>();
  const unread = new Set<number>();
  for (const text of texts) {
    const placed = isSealed(text) ? readPlaced(text) : undefined;
    if (placed?.number === CODE_KEY) ofCodes.add(placed.corporation_id);
    else if (placed && !keys.has(placed.corporation_id)) unread.add(placed.corporation_id);
  }
  const codeKeys = new Map([...ofCodes].map((id) => [id, codeTextKey(secretKey(config), id)]));
  if (unread.size > 0) await readKeys(db, config, unread, keys);
  return (text) => {
    if (!isSealed(text)) return { text };
    const placed = readPlaced(text);
    if (!placed) return { closed: 'unreadable' };
    const own = placed.number === CODE_KEY ? codeKeys.get(placed.corporation_id) : undefined;
    const key = own ?? keys.get(placed.corporation_id)?.get(placed.number);
    if (!key) return { closed: 'unreadable' };
    if ('destroyed_at' in key) return { closed: key };
    try {
      const text = openSealed(key.key, placed);
      return { text: whole ? wholeText(text) : withDots(text) };
    } catch {
      return { closed: 'unreadable' };
    }
  };
}

async function readKeys(db: Queryable, config: KeyConfig, of: ReadonlySet<number>, keys: ReadKeys): Promise<void> {
  const rows = await rowsOf<KeyRow>(
    db,
    'SELECT corporation_id, number, key_sealed, destroyed_at FROM text_key WHERE corporation_id = ANY ($1::bigint[])',
    [[...of]],
  );
  const installation = secretKey(config);
  const byCorporation = Map.groupBy(rows, ({ corporation_id }) => corporation_id);
  for (const corporation_id of of)
    keys.set(
      corporation_id,
      new Map(
        byCorporation
          .get(corporation_id)
          ?.map(({ key_sealed, destroyed_at, ...row }) => [
            row.number,
            key_sealed === null ? { destroyed_at: destroyed_at! } : openTextKey(installation, { ...row, key_sealed }),
          ]),
      ),
    );
}
