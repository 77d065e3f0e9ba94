import { randomBytes } from 'node:crypto';
import { CODE_LENGTH, replaceAddresses, shortLinkPath } from '@heliograph/contract/campaigns/short-link';
import { type Kysely, sql } from 'kysely';
import type { Config } from '#platform/config/config';
import type { Database } from '#platform/database/db';
import { ownShortLinkHosts } from '#platform/operator/short-link-hosts';
import { publicUrl } from '#platform/process/shutdown';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/**
 * Largest multiple of the alphabet's length that an octet holds. Higher values would make the first letters more
 * likely.
 */
const FAIR = 256 - (256 % ALPHABET.length);
const AT_ONCE = 1_000;
/** Number of random octets that are drawn together. */
const POOL = 16_384;

type LinkConfig = Pick<Config, 'SHORT_LINK_URL' | 'PUBLIC_URL' | 'HOST' | 'PORT'>;

const platformBase = (config: LinkConfig): string => config.SHORT_LINK_URL ?? publicUrl(config);

/** Returns the platform's host of short links. */
export const shortLinkHost = (config: LinkConfig): string => new URL(platformBase(config)).hostname;

/** Returns the address before the path of a corporation's short links: its reseller's own host, or the platform's. */
export async function shortLinkBase(db: Kysely<Database>, config: LinkConfig, corporationId: number): Promise<string> {
  const base = platformBase(config);
  const own = (await ownShortLinkHosts(db, corporationId)).get(corporationId);
  return own === undefined ? base : `${new URL(base).protocol}//${own}`;
}

let pool = Buffer.alloc(0);
let drawn = 0;

/** Makes a code that cannot be guessed: ten letters and digits, 59 bits. */
function newCode(): string {
  let code = '';
  while (code.length < CODE_LENGTH) {
    if (drawn >= pool.length) {
      pool = randomBytes(POOL);
      drawn = 0;
    }
    const octet = pool[drawn++]!;
    if (octet < FAIR) code += ALPHABET[octet % ALPHABET.length];
  }
  return code;
}

/** Puts a short link for each recipient into texts, and stores its address. */
export interface ShortLinkWriter {
  /** Returns the recipient's text with a separate code for each address. */
  shorten(text: string, msisdn: string): string;
  /** Resolves when there is room for more. Await it regularly, or rows pile up in memory. */
  write(): Promise<void> | undefined;
  flush(): Promise<void>;
}

/** Writes links within the caller's transaction. `campaign_id` is null for a test. */
export function openShortLinks(
  db: Kysely<Database>,
  base: string,
  of: { corporation_id: number; campaign_id: number | null },
): ShortLinkWriter {
  const host = new URL(base).hostname;
  /** Targets that many recipients get, by their place and address. Those of a single recipient are soon dropped. */
  let targets = new Map<string, number>();
  let waiting: { code: string; msisdn: string; target: string; place: number; address: string }[] = [];
  /** False if nobody may learn who clicks; read with the first links. */
  let named: boolean | undefined;
  const write = async (): Promise<void> => {
    const rows = waiting;
    waiting = [];
    named ??= await namesClicks(db, of.corporation_id);
    if (targets.size > 10 * AT_ONCE) targets = new Map();
    const fresh = [...new Map(rows.map((row) => [row.target, row])).values()].filter(
      ({ target }) => !targets.has(target),
    );
    if (fresh.length > 0) {
      const { rows: added } = await sql<{ id: number; place: number; url: string }>`
        INSERT INTO short_link_target (corporation_id, campaign_id, place, url, host)
        SELECT ${of.corporation_id}, ${of.campaign_id}, place, url, ${host}
        FROM unnest(${fresh.map(({ place }) => place)}::smallint[], ${fresh.map(({ address }) => address)}::text[]) AS t(place, url)
        RETURNING id, place, url`.execute(db);
      for (const { id, place, url } of added) targets.set(`${place} ${url}`, id);
    }
    const unnamed = new Map<string, string>();
    const nameOf = (msisdn: string) => {
      if (named) return msisdn;
      const name = unnamed.get(msisdn) ?? `removed-${randomBytes(16).toString('hex')}`;
      unnamed.set(msisdn, name);
      return name;
    };
    await sql`
      INSERT INTO short_link (code, corporation_id, campaign_id, msisdn, target_id)
      SELECT unnest(${rows.map(({ code }) => code)}::text[]), ${of.corporation_id}, ${of.campaign_id},
        unnest(${rows.map(({ msisdn }) => nameOf(msisdn))}::text[]),
        unnest(${rows.map(({ target }) => targets.get(target)!)}::bigint[])`.execute(db);
  };
  return {
    shorten: (text, msisdn) => {
      let place = 0;
      return replaceAddresses(text, (address) => {
        const code = newCode();
        waiting.push({ code, msisdn, target: `${++place} ${address}`, place, address });
        return base + shortLinkPath(code);
      });
    },
    // All links of a recipient are added together, so that they share a name.
    write: () => (waiting.length >= AT_ONCE ? write() : undefined),
    flush: async () => {
      if (waiting.length > 0) await write();
    },
  };
}

async function namesClicks(db: Kysely<Database>, corporationId: number): Promise<boolean> {
  const { rows } = await sql<{
    names_clicks: boolean;
  }>`SELECT names_clicks FROM corporation WHERE id = ${corporationId}`.execute(db);
  return rows[0]?.names_clicks ?? true;
}
