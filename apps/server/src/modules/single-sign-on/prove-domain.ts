import { Resolver } from 'node:dns/promises';
import type { proveDomain } from '@heliograph/contract/single-sign-on/identity-provider';
import { audit } from '#platform/access/audit';
import type { ConnectedConfig } from '#platform/config/config';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import type { Call } from '#platform/http/http';
import { translate } from '#platform/text/i18n';
import { ownProvider, providers } from './providers.ts';

/** Time in ms that one DNS server has for an answer, and the number of tries. */
const ASK_MS = 3_000;
const TRIES = 2;

/** Reads the texts of a TXT record; none if there is no such record or no answer. */
async function textsOf({ DNS_SERVERS }: Pick<ConnectedConfig, 'DNS_SERVERS'>, name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: ASK_MS, tries: TRIES });
  if (DNS_SERVERS.length > 0) resolver.setServers(DNS_SERVERS);
  const found = await resolver.resolveTxt(name).catch(() => []);
  return found.map((parts) => parts.join('').trim());
}

/**
 * Looks for the record of a domain in the DNS, without a transaction meanwhile, and marks the domain as proved. Throws
 * `domain_not_proved`, and `domain_taken` if another provider has proved it.
 */
export async function prove(
  { config }: Pick<Context, 'config'>,
  { params, body: { domain } }: Call<typeof proveDomain>,
  run: <R>(work: (ctx: Context) => Promise<R>) => Promise<R>,
) {
  const wanted = await run(async (ctx) => {
    const { proofs } = await ownProvider(ctx, params.id);
    const proof = proofs.find((each) => each.domain === domain);
    if (!proof) throw new BusinessError('not_found');
    return proof;
  });
  const texts = await textsOf(config, wanted.record);
  if (!texts.includes(wanted.value))
    throw new BusinessError('domain_not_proved', { params: { record: wanted.record } });
  return run(async (ctx) => {
    const { name, corporation_id } = await ownProvider(ctx, params.id);
    await ctx.db
      .updateTable('identity_domain')
      .set({ proved_at: ctx.clock.now().toISOString() })
      .where('identity_provider_id', '=', params.id)
      .where('domain', '=', domain)
      .where('proved_at', 'is', null)
      .execute()
      .catch((error: { constraint?: string }) => {
        throw error.constraint === 'identity_domain_proved_key' ? new BusinessError('domain_taken') : error;
      });
    await audit(ctx, {
      name: 'identity-providers',
      description: 'domain proved',
      subject_type: 'identity-providers',
      subject_id: params.id,
      corporation_id,
      after: { name, domain },
    });
    const { data } = await providers.get(ctx, { params, query: {}, body: {} });
    return { data, message: translate(ctx.locale, 'sign_on.domain_proved', { domain }) };
  });
}
