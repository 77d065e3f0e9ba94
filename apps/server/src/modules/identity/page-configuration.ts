import type { pageConfigurations } from '@heliograph/contract/identity/session';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { Locale } from '@heliograph/contract/kernel/scope';
import type { PublicContext } from '#platform/context';
import { translate } from '#platform/i18n';
import { BROADCAST_KEY } from '#platform/realtime';
import type { Identity } from './session-tokens.ts';
import { readSettings } from './settings.ts';

/** Logins that the sign-in page offers; the demo seed leaves them in the global configuration. */
type DemoLogins = { password: string; logins: { username: string; role: string }[] };

/** What the application looks like here, and where the demo is in, how to get in. */
export async function pageConfiguration(
  { authDb }: Identity,
  { config, locale }: Pick<PublicContext, 'config' | 'locale'>,
): Promise<ReplyOf<typeof pageConfigurations>> {
  const settings = await readSettings(authDb);
  const demo = settings.get('demo') === 'true';
  return {
    color: settings.get('app_color') ?? '#2f6fde',
    corporation_name: settings.get('app_name') ?? 'Heliograph',
    logo_path: null,
    logging_page_logo: null,
    favicon_path: null,
    broadcast_key: BROADCAST_KEY,
    ...(demo && {
      demo_logins: demoLogins(settings.get('demo_logins'), locale),
      simulator_url: `http://127.0.0.1:${config.SIMULATOR_HTTP_PORT}`,
    }),
  };
}

function demoLogins(value: string | undefined, locale: Locale) {
  if (!value) return [];
  const { password, logins } = JSON.parse(value) as DemoLogins;
  return logins.map(({ username, role }) => ({ username, password, role: translate(locale, `roles.${role}`) }));
}
