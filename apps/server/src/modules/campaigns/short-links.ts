import { randomBytes } from 'node:crypto';
import { CODE_LENGTH, replaceAddresses, shortLinkPath } from '@heliograph/contract/campaigns/short-link';
import { type Kysely, sql } from 'kysely';
import type { Config } from '#platform/config/config';
import type { Context } from '#platform/context';
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
  /** Addresses that many recipients get. Those of a single recipient are soon dropped. */
  let targets = new Map<string, number>();
  let waiting: { code: string; msisdn: string; address: string }[] = [];
  const write = async (): Promise<void> => {
    const rows = waiting;
    waiting = [];
    if (targets.size > 10 * AT_ONCE) targets = new Map();
    const fresh = [...new Set(rows.map(({ address }) => address))].filter((address) => !targets.has(address));
    if (fresh.length > 0) {
      const { rows: added } = await sql<{ id: number; url: string }>`
        INSERT INTO short_link_target (corporation_id, campaign_id, url, host)
        SELECT ${of.corporation_id}, ${of.campaign_id}, url, ${host} FROM unnest(${fresh}::text[]) AS url
        RETURNING id, url`.execute(db);
      for (const { id, url } of added) targets.set(url, id);
    }
    await sql`
      INSERT INTO short_link (code, corporation_id, campaign_id, msisdn, target_id)
      SELECT unnest(${rows.map(({ code }) => code)}::text[]), ${of.corporation_id}, ${of.campaign_id},
        unnest(${rows.map(({ msisdn }) => msisdn)}::text[]),
        unnest(${rows.map(({ address }) => targets.get(address)!)}::bigint[])`.execute(db);
  };
  return {
    shorten: (text, msisdn) =>
      replaceAddresses(text, (address) => {
        const code = newCode();
        waiting.push({ code, msisdn, address });
        return base + shortLinkPath(code);
      }),
    write: () => (waiting.length >= AT_ONCE ? write() : undefined),
    flush: async () => {
      if (waiting.length > 0) await write();
    },
  };
}

/** Counts the recipients who followed a campaign's short links, and all visits. Returns null if it has no links. */
export async function clicksOf({ db }: Pick<Context, 'db'>, campaignId: number) {
  const { rows } = await sql<{ recipients: number; total: number }>`
    SELECT count(DISTINCT c.msisdn) AS recipients, coalesce(sum(c.clicks), 0)::bigint AS total
    FROM campaign LEFT JOIN short_link_click c ON c.campaign_id = campaign.id
    WHERE campaign.id = ${campaignId} AND campaign.content ->> 'short_links' = 'true'
    GROUP BY campaign.id`.execute(db);
  return rows[0] ?? null;
}
