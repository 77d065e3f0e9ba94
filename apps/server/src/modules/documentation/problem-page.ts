import { titleOf } from '@heliograph/contract/kernel/error-names';
import { ERRORS, type ErrorCode } from '@heliograph/contract/kernel/errors';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { LOCALE_TAGS } from '@heliograph/contract/kernel/scope';
import type { FastifyInstance } from 'fastify';
import { BusinessError } from '#platform/errors';
import { contentPolicy, newNonce } from '#platform/http/safe-headers';
import { escaped } from '#platform/text/escaped';
import { chooseLocale, translate } from '#platform/text/i18n';

const STYLE = `
  body { max-width: 40rem; margin: 10vh auto; padding: 0 1.5rem; font: 1rem/1.6 system-ui, sans-serif; }
  code { font-size: 0.95em; }`;

/** Mounts the pages to which the `type` of an error leads: its name, its meaning, and a link to the guide. */
export function problemPages(server: FastifyInstance): void {
  server.get('/problems/:code', async (request, reply) => {
    const { code } = request.params as { code: string };
    if (!Object.hasOwn(ERRORS, code)) throw new BusinessError('not_found');
    const { status } = ERRORS[code as ErrorCode];
    const locale = chooseLocale(request.cookies['locale'], undefined);
    const key = code === 'unavailable' ? 'outages.unknown' : keyIn('errors', code);
    // Values belong to a single error, so each is shown as a gap here.
    const meaning = translate(locale, key).replace(/\{\{\w+\}\}/g, '…');
    const nonce = newNonce();
    return reply
      .header('content-security-policy', contentPolicy(nonce))
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${titleOf(code as ErrorCode)}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<h1>${titleOf(code as ErrorCode)}</h1>
<p><code>${code}</code> · HTTP ${status}</p>
<p lang="${LOCALE_TAGS[locale]}">${escaped(meaning)}</p>
<p lang="${LOCALE_TAGS[locale]}"><a href="/document/0?article=api-errors">${escaped(translate(locale, 'problem_page.guide'))}</a></p>
</body>
</html>
`);
  });
}
