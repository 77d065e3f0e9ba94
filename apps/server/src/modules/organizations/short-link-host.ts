import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import { publicUrl } from '#platform/process/shutdown';

/** Throws a 422 if a host of short links is one at which the platform, or one of the given consoles, answers. */
export function requireLinkHost(
  { config }: Pick<Context, 'config'>,
  host: string | null | undefined,
  consoles: readonly (string | null)[] = [],
): void {
  if (!host) return;
  const own = [publicUrl(config), config.SHORT_LINK_URL, ...consoles].flatMap((url) => url ?? []);
  if (own.some((url) => new URL(url).hostname === host)) throw fieldError('short_link_host', 'short_link_host_own');
}
