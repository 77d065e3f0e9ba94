import type { CheckedMessage, MessageCheck } from '@heliograph/contract/reports/message-check';
import type { Kysely } from 'kysely';
import { shortLinkHost } from '#modules/campaigns';
import { explainLinks, explainModeration } from '#modules/moderation';
import { explainConsent, explainHours, explainLimits } from '#modules/policy';
import { explainRegistration, explainSender } from '#modules/senders';
import { explainTemplate } from '#modules/templates';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';

/** Settings of a message's chunk and author that skip a check. */
interface Skips {
  confirms_opt_out: boolean;
  skip_blacklist: boolean | null;
}

/**
 * Returns the checks of a message and why each let it pass or stopped it, by the rules and decisions of its time.
 * Nothing is stored per message: each module reads its own history.
 */
export async function checksOf(
  { db, config }: Pick<Context, 'db' | 'config'>,
  message: CheckedMessage & { text: string | null },
  skips: Skips,
): Promise<MessageCheck[]> {
  const sender = await explainSender(db, message);
  const approved = await explainTemplate({ db, config }, message);
  const linked = await explainLinks(db, message, [shortLinkHost(config)]);
  const registered = await explainRegistration(db, message);
  const moderated = await explainModeration(db, message);
  const timed = await explainHours(db, message);
  const counted = await explainLimits(db, message);
  const consented = await explainConsent(db, message);
  return [
    ...[sender, registered, approved].filter((check) => check !== null),
    { rule: 'blacklist', result: skips.skip_blacklist ? 'skipped' : 'passed', because: null },
    { rule: 'blocked_text', result: 'passed', because: null },
    ...[linked, moderated, timed, counted, consented].filter((check) => check !== null),
    await optOutOf(db, message, skips),
  ];
}

/** An opt-out is checked when the message leaves. */
async function optOutOf(db: Kysely<Database>, message: CheckedMessage, skips: Skips): Promise<MessageCheck> {
  const rule = 'opt_out' as const;
  if (skips.confirms_opt_out) return { rule, result: 'skipped', because: { key: 'confirmation', params: {} } };
  if (message.state === 'blocked' && message.error_code === 'opted_out') {
    const made = await db
      .selectFrom('opt_out')
      .select('created_at')
      .where('corporation_id', '=', message.corporation_id)
      .where('number', '=', message.number)
      .executeTakeFirst();
    const because = made ? { key: 'opted_out', params: { made_at: made.created_at } } : null;
    return { rule, result: 'stopped', because };
  }
  const waits = message.state === 'pending' || message.state === 'cancelled';
  return { rule, result: waits ? 'waiting' : 'passed', because: null };
}
