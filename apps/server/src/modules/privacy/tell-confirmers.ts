import type { Locale } from '@heliograph/contract/kernel/scope';
import { z } from 'zod';
import { rowsOf } from '#platform/database/queryable';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { notify } from '#platform/realtime/realtime';
import { translate } from '#platform/text/i18n';

/** Job that tells people that an erasure waits for one of them to confirm it. */
export const tellConfirmersJob = defineJob('tell-confirmers', z.object({ person_request_id: z.int() }), {
  retryLimit: 3,
});

interface Confirmer {
  id: number;
  name: string;
  email: string;
  locale: Locale;
  by: string;
  home: number | null;
}

/**
 * People who may confirm, without the one who asked: of the corporation; if it has nobody else, of its reseller; and
 * otherwise of the platform.
 */
const CONFIRMERS = `
  WITH found AS (
    SELECT u.id, u.name, u.email, u.preferred_language AS locale, u.corporation_id AS home, e.name AS by,
      CASE WHEN u.scope_level < 2 THEN 3 WHEN u.corporation_id = p.corporation_id THEN 1 ELSE 2 END AS place
    FROM person_request p JOIN user_account e ON e.id = p.erased_by LEFT JOIN corporation c ON c.id = p.corporation_id
    JOIN user_account u ON u.id <> e.id AND u.enabled AND NOT u.is_service
      AND (u.scope_level < 2 OR (u.scope_level = 2 AND u.corporation_id IN (c.id, c.reseller_id)))
    WHERE p.id = $1 AND p.state = 'asked' AND EXISTS (
      SELECT FROM permission k WHERE k.name = 'privacy-erase' AND (
        EXISTS (SELECT FROM role_permission r WHERE r.permission_id = k.id AND r.role_id = u.role_id)
        OR EXISTS (SELECT FROM user_permission x WHERE x.permission_id = k.id AND x.user_id = u.id))))
  SELECT id, name, email, locale, home, by FROM found WHERE place = (SELECT min(place) FROM found) ORDER BY id LIMIT 20`;

/** Tells people, in the bell and by mail, that an erasure waits for one of them. */
export async function tellConfirmers(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  id: number,
): Promise<void> {
  for (const { id: user_id, locale, home, name, email, by } of await rowsOf<Confirmer>(database, CONFIRMERS, [id])) {
    const to = `/privacy/${id}`;
    const brand = await brandOf(database, config, home);
    const words = { app: brand.app, name, by, url: `${brand.url}${to}` };
    const subject = translate(locale, 'erasure.asked', words);
    await notify(database, user_id, 'erasure.asked', { message: subject, to });
    await sendMail(config, { to: email, subject, text: translate(locale, 'erasure.mail', words) }, log, brand.mail());
  }
}
