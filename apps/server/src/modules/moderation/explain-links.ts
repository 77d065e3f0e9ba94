import type { WebLinkMode } from '@heliograph/contract/moderation/web-domain';
import type { CheckedMessage, MessageCheck } from '@heliograph/contract/reports/message-check';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { ownShortLinkHosts } from '#platform/operator/short-link-hosts';
import { rulesAt } from '#platform/records/rule-history';
import { findHosts } from './find-links.ts';
import { type DomainRow, namedHost, WebRules } from './web-rules.ts';

const rule = 'links' as const;

/**
 * Explains a text by the rules about web addresses that were in force when it was handed in. Null if texts were not
 * checked then, or the caller may not read the text. Texts may always link to `ownHosts`,
 * and to the host of short links of the corporation's reseller.
 */
export async function explainLinks(
  db: Kysely<Database>,
  { corporation_id, sender_id, created_at, text }: CheckedMessage,
  ownHosts: readonly string[],
): Promise<MessageCheck | null> {
  if (text === null) return null;
  const modes = await rulesAt<{ mode: WebLinkMode }>(db, 'web_links', corporation_id, created_at);
  const modeOf = (id: number) => modes.find(({ rule_id }) => rule_id === id)?.said.mode;
  const mode = modeOf(corporation_id) ?? modeOf(0) ?? 'off';
  if (mode === 'off') return null;
  const hosts = findHosts(text);
  if (hosts.length === 0) return { rule, result: 'skipped', because: { key: 'none', params: {} } };
  const domains = await rulesAt<DomainRow>(db, 'web_domain', corporation_id, created_at);
  const written = domains.map(({ said }) => said);
  const rules = new WebRules(mode, new Map(), written, ownHosts, await ownShortLinkHosts(db, corporation_id));
  const found = rules.of(corporation_id, sender_id)!.find(text);
  if (found) {
    const because = { key: mode === 'shadow' ? 'counted' : 'earlier', params: { domain: namedHost(found.host) } };
    return { rule, result: 'passed', because };
  }
  const names = hosts.map(({ host }) => namedHost(host)).join(', ');
  return { rule, result: 'passed', because: { key: 'allowed', params: { domains: names } } };
}
