import { isAdministration } from '@heliograph/contract/kernel/scope';
import { webDomain } from '@heliograph/contract/moderation/web-domain';
import { sql } from 'kysely';
import { parse } from 'tldts';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { canonicalHost, isRegistrable, shownHost } from './find-links.ts';
import { isShortener } from './web-rules.ts';

const stored = tableStore(webDomain, {
  table: 'web_domain',
  from: 'web_domain_row',
  searched: ['domain', 'ascii'],
});

interface Named {
  domain: string;
  verdict: 'allowed' | 'refused';
}

/** Returns both forms of a domain. Throws if it is none, or one that nobody may be allowed. */
function formsOf({ domain, verdict }: Named): { domain: string; ascii: string } {
  const ascii = canonicalHost(domain);
  if (ascii === null || !isRegistrable(ascii)) throw fieldError('domain', 'web_domain');
  if (verdict === 'allowed') {
    // Below such a suffix anybody has names, such as those of a hosting company's customers.
    const { domain: own } = parse(ascii, { allowPrivateDomains: true });
    if (own === null) throw fieldError('domain', 'web_domain_suffix');
    if (isShortener(ascii)) throw fieldError('domain', 'web_domain_shortener');
  }
  return { domain: shownHost(ascii), ascii };
}

/** Throws unless the caller may decide for a corporation; only the platform may for all. */
async function requirePlace(
  ctx: Context,
  { corporation_id, sender_id_id }: { corporation_id: number | null; sender_id_id: number | null },
): Promise<void> {
  if (corporation_id !== null) await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
  else if (!isAdministration(ctx.caller.scope_level) || sender_id_id !== null)
    throw fieldError('corporation_id', 'required');
  if (sender_id_id !== null)
    await requireVisible(
      ctx,
      'sender_id',
      sender_id_id,
      'sender_id_id',
      sql<boolean>`corporation_id = ${corporation_id}`,
    );
}

/** Domains that may stand in texts, or that may not. */
export const webDomains: ResourceHandlers<typeof webDomain> = {
  ...stored,
  async create(ctx, call) {
    await requirePlace(ctx, call.body);
    return stored.create(ctx, { ...call, body: { ...call.body, ...formsOf(call.body) } });
  },
  async update(ctx, call) {
    const { data: before } = await stored.get(ctx, call);
    return stored.update(ctx, {
      ...call,
      body: {
        ...call.body,
        ...formsOf({ domain: call.body.domain ?? before.domain, verdict: call.body.verdict ?? before.verdict }),
      },
    });
  },
};
