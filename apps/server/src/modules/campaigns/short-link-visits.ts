import { CODE_LENGTH, shortLinkPath } from '@heliograph/contract/campaigns/short-link';
import { sql } from 'kysely';
import type { App } from '#platform/http/http';
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
    const address = CODE.test(code) ? await follow(app, code, isPerson(request.method, request.headers)) : null;
    reply.header('cache-control', 'private, no-store').header('x-robots-tag', 'noindex');
    if (address !== null && /^https?:\/\//i.test(address)) return reply.redirect(new URL(address).href, 302);
    const locale = chooseLocale(request.cookies['locale'], undefined);
    return reply.code(404).type('text/plain; charset=utf-8').send(translate(locale, 'short_link.unknown'));
  });
}

async function follow({ database }: App, code: string, counted: boolean): Promise<string | null> {
  const { rows } = await sql<{
    address: string | null;
  }>`SELECT follow_short_link(${code}, ${counted}) AS address`.execute(database);
  return rows[0]?.address ?? null;
}

/** Tells if the visitor is a person who opens the page now. */
export function isPerson(method: string, headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  const purpose = `${headers['purpose'] ?? ''} ${headers['sec-purpose'] ?? ''} ${headers['x-moz'] ?? ''}`;
  const agent = String(headers['user-agent'] ?? '');
  return method === 'GET' && agent !== '' && !PROGRAM.test(agent) && !/prefetch|preview|prerender/i.test(purpose);
}
