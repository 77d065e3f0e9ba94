import type { WebLinkMode, WebLinkReason } from '@heliograph/contract/moderation/web-domain';
import type { Kysely } from 'kysely';
import { parse } from 'tldts';
import type { Database } from '#platform/database/db';
import { type BusinessError, fieldError } from '#platform/errors';
import { readSettings } from '#platform/operator/settings';
import { ownShortLinkHosts } from '#platform/operator/short-link-hosts';
import { type FoundHost, findHosts, shownHost } from './find-links.ts';
import { looksLike, skeletonOf } from './look-alike.ts';

/**
 * Public services where anybody makes a short link to anywhere, so that its host says nothing about its target. Services
 * that shorten only their own addresses, such as youtu.be, are not among them.
 */
const SHORTENERS: ReadonlySet<string> = new Set(
  `adf.ly b.link bc.vc bit.do bit.ly bitly.com bitly.ws bl.ink buff.ly chilp.it clck.ru cli.re cutt.ly cutt.us dub.sh
  dub.co dwz.cn goo.gl goo.su gg.gg han.gl is.gd j.mp kutt.it lnk.to lnkd.in lnk.bio linktr.ee lc.chat me2.kr mcaf.ee
  n9.cl o-x.sh ouo.io ow.ly pics.ee po.st qr.ae qr.net qps.ru rb.gy rebrand.ly reurl.cc rotf.lol s.id s2r.co short.cm
  short.gy short.io shorte.st shorten.asia shorturl.asia shorturl.at shrtco.de slkt.io smarturl.it snip.ly soo.gd
  suo.im surl.li t.co t.cn t.ly t2m.io tiny.cc tiny.one tiny.pl tinu.be tinylink.net tinyurl.com tr.im ulvis.net
  urlz.fr url.cn url.ie urlzs.com v.gd v.ht vo.la vurl.com w.wiki x.co x.gd yourls.org zpr.io zws.im`.split(/\s+/),
);

/** First web address of a text that breaks the rules. */
export interface WebRefusal {
  reason: WebLinkReason;
  host: string;
}

/** Rules about web addresses for the texts of one sender ID of one corporation. */
export interface WebCheck {
  /** Name of the sender ID and owner of the texts. */
  readonly sender: string;
  readonly corporation_id: number;
  /** False if the texts are only counted. */
  readonly enforced: boolean;
  /** Returns the first web address that breaks the rules, also if it is only counted; null if there is none. */
  find(text: string): WebRefusal | null;
}

interface Rule {
  ascii: string;
  subdomains: boolean;
}

/** Domain of the rules, with the name of the sender ID that it is for. */
export interface DomainRow extends Rule {
  verdict: string;
  corporation_id: number | null;
  sender_id_name: string | null;
}

const fits = (host: string, { ascii, subdomains }: Rule): boolean =>
  host === ascii || (subdomains && host.endsWith(`.${ascii}`));

/** Returns a host as people read it, with its form in DNS if that differs. */
export function namedHost(host: string): string {
  const shown = shownHost(host);
  return shown === host ? host : `${shown} (${host})`;
}

/** Makes the 422 of a text with a web address that may not be sent. It names the domain and the remedy. */
export const webFault = (field: string, { reason, host }: WebRefusal): BusinessError =>
  fieldError(field, `web_${reason}`, { domain: namedHost(host) });

/** Rules about web addresses in texts, as they were read. Nothing is compiled for corporations without a check. */
export class WebRules {
  readonly #standard: WebLinkMode;
  readonly #modes: ReadonlyMap<number, WebLinkMode>;
  readonly #domains: readonly DomainRow[];
  readonly #own: ReadonlySet<string>;
  readonly #ownOf: ReadonlyMap<number, string>;
  /** Registered names that are allowed to anybody, with their domains. */
  readonly #names: readonly { name: string; domain: string }[];
  readonly #checks = new Map<string, WebCheck>();

  constructor(
    standard: WebLinkMode,
    modes: ReadonlyMap<number, WebLinkMode>,
    domains: readonly DomainRow[],
    ownHosts: readonly string[],
    ownOf: ReadonlyMap<number, string> = new Map(),
  ) {
    this.#standard = standard;
    this.#modes = modes;
    this.#domains = domains;
    this.#own = new Set(ownHosts);
    this.#ownOf = ownOf;
    const allowed = domains.filter(({ verdict }) => verdict === 'allowed');
    this.#names = [...new Set(allowed.map(({ ascii }) => registered(ascii)))].map((domain) => ({
      name: skeletonOf(domain),
      domain,
    }));
  }

  /** Returns the rules for the texts of a sender ID; null if nothing is checked, which costs nothing for each text. */
  of(corporation_id: number, sender: string): WebCheck | null {
    const mode = this.#modes.get(corporation_id) ?? this.#standard;
    if (mode === 'off') return null;
    const key = `${corporation_id} ${sender}`;
    let check = this.#checks.get(key);
    if (!check) {
      check = { corporation_id, sender, enforced: mode === 'enforced', find: this.#compile(corporation_id, sender) };
      this.#checks.set(key, check);
    }
    return check;
  }

  #compile(corporation_id: number, sender: string): WebCheck['find'] {
    const mine = this.#domains.filter(
      (each) =>
        (each.corporation_id ?? corporation_id) === corporation_id && (each.sender_id_name ?? sender) === sender,
    );
    const refused = mine.filter(({ verdict }) => verdict === 'refused');
    const allowed = mine.filter(({ verdict }) => verdict === 'allowed');
    const reasonOf = ({ host, isAddress }: FoundHost): WebLinkReason | null => {
      if (this.#own.has(host) || this.#ownOf.get(corporation_id) === host) return null;
      if (isAddress) return 'address';
      if (refused.some((rule) => fits(host, rule))) return 'refused';
      if (isShortener(host)) return 'shortener';
      if (allowed.some((rule) => fits(host, rule))) return null;
      const domain = registered(host);
      const name = skeletonOf(domain);
      const isLike = this.#names.some((other) => other.domain !== domain && looksLike(name, other.name));
      return isLike && !this.#names.some((other) => other.domain === domain) ? 'look_alike' : 'not_allowed';
    };
    return (text) => {
      for (const found of findHosts(text)) {
        const reason = reasonOf(found);
        if (reason) return { reason, host: found.host };
      }
      return null;
    };
  }
}

/** Tells if a host belongs to a public shortener. */
export const isShortener = (host: string): boolean =>
  SHORTENERS.has(host) || SHORTENERS.has(host.replace(/^www\./, ''));

/** Returns the domain that somebody registered, such as `example.com` of `www.example.com`. */
export const registered = (host: string): string =>
  parse(host, { extractHostname: false, validateHostname: false }).domain ?? host;

const NONE = new WebRules('off', new Map(), [], []);

/**
 * Reads the rules about web addresses: those of one corporation, or of all. While no corporation is checked, this asks
 * for the modes only. Texts may always link to `ownHosts`, and to the host of short links of the corporation's reseller.
 */
export async function readWebRules(
  db: Kysely<Database>,
  ownHosts: readonly string[],
  corporationId?: number,
): Promise<WebRules> {
  const settings = await readSettings(db, ['web_links']);
  const standard = (settings.get('web_links') ?? 'off') as WebLinkMode;
  const modes = await db
    .selectFrom('corporation')
    .select(['id', 'web_links'])
    .where('web_links', 'is not', null)
    .$if(corporationId !== undefined, (q) => q.where('id', '=', corporationId!))
    .execute();
  if (standard === 'off' && modes.every(({ web_links }) => web_links === 'off')) return NONE;
  const domains = await db
    .selectFrom('web_domain')
    .leftJoin('sender_id', 'sender_id.id', 'web_domain.sender_id_id')
    .select([
      'web_domain.ascii',
      'web_domain.subdomains',
      'web_domain.verdict',
      'web_domain.corporation_id',
      'sender_id.sender_id as sender_id_name',
    ])
    .execute();
  const modeOf = new Map(modes.map(({ id, web_links }) => [id, web_links as WebLinkMode]));
  return new WebRules(standard, modeOf, domains, ownHosts, await ownShortLinkHosts(db, corporationId ?? null));
}
