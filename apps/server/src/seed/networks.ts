import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

const FILE = join(import.meta.dirname, 'networks.tsv');

/** A network of the shipped table. */
interface Shipped {
  key: string;
  country: string;
  mcc: string | null;
  mnc: string | null;
  other_codes: string[];
  name: string;
  prefixes: string[];
}

/** Returns the networks of the table that ships. */
export const shippedNetworks = (): Shipped[] => read(readFileSync(FILE, 'utf8'));

function read(text: string): Shipped[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [country = '', codes = '', name = '', prefixes = ''] = line.split('\t');
      const [first, ...other_codes] = codes.split(' ').filter((code) => code !== '');
      const [mcc = null, mnc = null] = first?.split('-') ?? [];
      return { key: `${country} ${name}`, country, mcc, mnc, other_codes, name, prefixes: prefixes.split(' ') };
    })
    .map((each) => ({ ...each, prefixes: each.prefixes.filter((prefix) => prefix !== '') }));
}

// A network that the operator has made, with a code or a name of the shipped table, stays the operator's.
const PUT_NETWORKS = `
  INSERT INTO network (country, mcc, mnc, other_codes, name, shipped_key)
  SELECT country, mcc, mnc, other_codes, name, key
  FROM jsonb_to_recordset($1::jsonb) AS s (key text, country text, mcc text, mnc text, other_codes text[], name text)
  WHERE NOT EXISTS (SELECT FROM network n WHERE n.shipped_key = s.key)
  ON CONFLICT DO NOTHING`;

const PUT_PREFIXES = `
  WITH shipped AS (
    SELECT n.id, s.prefixes FROM jsonb_to_recordset($1::jsonb) AS s (key text, prefixes text[])
    JOIN network n ON n.shipped_key = s.key
  )
  SELECT set_network_prefixes(jsonb_object_agg(id, to_jsonb(prefixes)), 'shipped') FROM shipped
  HAVING NOT EXISTS (SELECT FROM network_version WHERE source <> 'shipped')`;

/**
 * Takes over the table of networks that ships, once for each edition of it. Once an operator has changed prefixes, they
 * stay as they are; networks that are new are added all the same.
 */
export async function seedNetworks(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const text = readFileSync(FILE, 'utf8');
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  const { rows } = await client.query(
    'UPDATE network_state SET shipped = $1 WHERE shipped IS DISTINCT FROM $1 RETURNING 1',
    [digest],
  );
  if (rows.length === 0) return;
  const shipped = JSON.stringify(read(text));
  await client.query(PUT_NETWORKS, [shipped]);
  await client.query(PUT_PREFIXES, [shipped]);
}
