import type { pageConfigurations } from '@heliograph/contract/identity/session';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { demoLogins } from '@heliograph/contract/kernel/operator-settings';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { type Kysely, sql } from 'kysely';
import type { PublicContext } from '#platform/context';
import type { Database } from '#platform/database/db';
import { lookOf } from '#platform/operator/brand';
import { readSettings } from '#platform/operator/settings';
import { BROADCAST_KEY } from '#platform/realtime/grants';
import { translate } from '#platform/text/i18n';
import type { Identity } from './session-tokens.ts';

/**
 * Answers the look of the application on this host: that of the reseller who owns the host, else the platform's. If the
 * demo is in, the platform's page lists its logins.
 */
export async function pageConfiguration(
  { authDb }: Identity,
  { config, locale, request }: Pick<PublicContext, 'config' | 'locale' | 'request'>,
): Promise<ReplyOf<typeof pageConfigurations>> {
  const look = await lookOf(authDb, request.host);
  const settings = look.reseller ? undefined : await readSettings(authDb);
  return {
    color: look.color,
    corporation_name: look.name,
    logo_path: look.logo_path,
    logging_page_logo: look.login_logo_path,
    favicon_path: look.favicon_path,
    broadcast_key: BROADCAST_KEY,
    company_sign_in: await hasProviders(authDb, look.reseller ? request.host : null),
    ...(settings?.get('demo') === 'true' && {
      demo_logins: loginsOf(settings.get('demo_logins'), locale),
      simulator_url: `http://127.0.0.1:${config.SIMULATOR_HTTP_PORT}`,
    }),
  };
}

/** Tells if some company on this host has an identity provider: of all, or of one reseller and its customers. */
async function hasProviders(db: Kysely<Database>, resellerHost: string | null): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM identity_provider p JOIN identity_domain d ON d.identity_provider_id = p.id AND d.proved_at IS NOT NULL
    WHERE p.enabled AND (${resellerHost}::text IS NULL OR EXISTS (
      SELECT FROM reseller r JOIN corporation c ON r.corporation_id IN (c.id, c.reseller_id)
      WHERE r.host = ${resellerHost?.toLowerCase().replace(/\.$/, '') ?? null} AND c.id = p.corporation_id))
    LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Reads the logins that the demo seed leaves in the global configuration. */
function loginsOf(value: string | undefined, locale: Locale) {
  if (!value) return [];
  const { password, logins } = demoLogins.parse(JSON.parse(value));
  return logins.map(({ username, role }) => ({ username, password, role: translate(locale, keyIn('roles', role)) }));
}
