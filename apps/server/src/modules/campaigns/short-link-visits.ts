import { setTimeout as sleep } from 'node:timers/promises';
import type { NotCounted } from '@heliograph/contract/campaigns/link-results';
import { CODE_LENGTH, shortLinkPath } from '@heliograph/contract/campaigns/short-link';
import { LOCALE_TAGS, type Locale } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import type { App } from '#platform/http/http';
import { plainHost } from '#platform/operator/short-link-hosts';
import { chooseLocale, translate } from '#platform/text/i18n';

const CODE = new RegExp(`^[0-9A-Za-z]{${CODE_LENGTH}}$`);
/** Programs that open an address before or instead of a person: crawlers, and messengers that show a preview. */
const PROGRAM =
  /bot\b|bot[/_-]|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|viber|embedly|scanner|headless|lighthouse|curl|wget|libwww|python|java\/|okhttp|go-http|^node|axios|undici|httpclient|postman/i;

/**
 * Redirects a visitor of a short link to its address. The visit is counted unless it comes from a program, asks only
 * for the head or is a prefetch. The address comes only from the database; nothing in a request decides it.
 */
export function shortLinkVisits(app: App): void {
  app.server.get(shortLinkPath(':code'), { config: { unlimited: true } }, async (request, reply) => {
    const { code } = request.params as { code: string };
    const { leads_to, ended } = CODE.test(code)
      ? await visit(app, code, programOf(request.method, request.headers), plainHost(request.hostname))
      : NOWHERE;
    reply.header('cache-control', 'private, no-store').header('x-robots-tag', 'noindex');
    if (leads_to !== null && /^https?:\/\//i.test(leads_to)) return reply.redirect(new URL(leads_to).href, 302);
    const asked = localeAsked(String(request.headers['accept-language'] ?? ''));
    const locale = chooseLocale(request.cookies['locale'], asked);
    const text = translate(locale, ended ? 'short_link.ended' : 'short_link.unknown');
    return reply
      .code(ended ? 410 : 404)
      .header('content-language', LOCALE_TAGS[locale])
      .type('text/plain; charset=utf-8')
      .send(text);
  });
}

interface Visited {
  leads_to: string | null;
  /** True if the link was valid and its time is over. */
  ended: boolean;
}
const NOWHERE: Visited = { leads_to: null, ended: false };

async function visit({ database }: App, code: string, program: NotCounted | null, host: string): Promise<Visited> {
  const { rows } =
    await sql<Visited>`SELECT leads_to, ended FROM visit_short_link(${code}, ${program}, ${host})`.execute(database);
  return rows[0] ?? NOWHERE;
}

/** Returns why a visit is not counted; null for a person who opens the page now. */
export function programOf(
  method: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): NotCounted | null {
  const purpose = `${headers['purpose'] ?? ''} ${headers['sec-purpose'] ?? ''} ${headers['x-moz'] ?? ''}`;
  const agent = String(headers['user-agent'] ?? '');
  if (method !== 'GET') return 'head';
  if (agent === '') return 'no_agent';
  if (PROGRAM.test(agent)) return 'agent';
  return /prefetch|preview|prerender/i.test(purpose) ? 'prefetch' : null;
}

/** Languages of browsers by their beginning, the more exact first. */
const ASKED: readonly [begins: RegExp, locale: Locale][] = [
  [/^zh-(hant|tw|hk|mo)/i, 'zh'],
  [/^zh/i, 'cn'],
  [/^(fil|tl)\b/i, 'fp'],
  [/^en/i, 'en'],
];

/** Returns the first language of an Accept-Language header (RFC 9110, 12.5.4) that the program has. */
function localeAsked(header: string): Locale | undefined {
  for (const tag of header.split(',', 20)) {
    const found = ASKED.find(([begins]) => begins.test(tag.trim()));
    if (found) return found[1];
  }
  return undefined;
}

/** Time in ms for which the known hosts of resellers' short links are used. A new one counts after that. */
const GOOD_FOR_MS = 1_000;
/** Maximum time in ms that a request waits until they are read again. */
const PATIENCE_MS = 1_000;
const WITHOUT_DATABASE: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * Keeps everything but short links away from the hosts of resellers' short links: no console and no API. Call it before
 * routes are mounted.
 */
export function guardShortLinkHosts({ server, database, log }: Pick<App, 'server' | 'database' | 'log'>): void {
  let hosts: ReadonlySet<string> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const read = async () => {
    try {
      const { rows } = await sql<{ host: string }>`SELECT all_short_link_hosts() AS host`.execute(database);
      hosts = new Set(rows.map(({ host }) => host));
    } catch (error) {
      log.warn({ err: error }, 'could not read hosts of short links; using those known');
    }
    readAt = performance.now();
    reading = undefined;
  };
  server.addHook('onRequest', async (request, reply) => {
    if (performance.now() - readAt > GOOD_FOR_MS) {
      reading ??= read();
      // Checks of health answer without the database, and nobody waits long for one that does not answer.
      if (!WITHOUT_DATABASE.has(request.url))
        await Promise.race([reading, sleep(PATIENCE_MS, undefined, { ref: false })]);
    }
    if (hosts.size === 0 || !hosts.has(plainHost(request.hostname))) return;
    const isLink = request.routeOptions.url === shortLinkPath(':code');
    if (!isLink) await reply.code(404).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('');
  });
}
