import { keptFields } from '@heliograph/contract/campaigns/contact-values';
import { compileText, withAnyValues } from '@heliograph/contract/kernel/merge-fields';
import type { CheckedMessage, MessageCheck } from '@heliograph/contract/reports/message-check';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { placedText } from '#platform/text/sealed-text';
import { type KeyConfig, openerOf } from '#platform/text/text-keys';
import { matcherOf } from './template-rules.ts';

/**
 * Names the approved template from which a message of a limited sender ID was made, by the templates valid at its
 * time. Null if its sender ID could send any text then.
 */
export async function explainTemplate(
  { db, config }: { db: Kysely<Database>; config: KeyConfig },
  { corporation_id, sender_id, created_at, campaign_id, text }: CheckedMessage,
): Promise<MessageCheck | null> {
  const limit = await db
    .selectFrom('sender_event')
    .select('to_state')
    .where('corporation_id', '=', corporation_id)
    .where('sender_id', '=', sender_id)
    .where('to_state', 'in', ['templates_only', 'any_text', 'deleted'])
    .where('created_at', '<=', created_at)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (limit?.to_state !== 'templates_only') return null;
  const rule = 'template' as const;
  const { rows } = await sql<{ name: string; texts: string[]; created_at: string; to_state: string }>`
    SELECT DISTINCT ON (template_id) name, jsonb_path_query_array(language_texts, '$[*].text') || to_jsonb(template) AS texts, created_at, to_state FROM template_event
    WHERE corporation_id = ${corporation_id} AND created_at <= ${created_at}
      AND to_state IN ('approved', 'withdrawn', 'deleted')
    ORDER BY template_id, id DESC`.execute(db);
  const campaign =
    campaign_id === null
      ? undefined
      : await db.selectFrom('campaign').select('content').where('id', '=', campaign_id).executeTakeFirst();
  const stored = (campaign?.content as { content?: string } | undefined)?.content ?? '';
  const placed = placedText(stored, corporation_id, 'campaign');
  const opened = (await openerOf(db, config, [placed]))(placed);
  const content = 'text' in opened ? opened.text : '';
  const keys = keptFields.parse(campaign?.content ?? {}).contact_fields.map(({ key }) => key);
  const sample = withAnyValues(compileText(content, new Set(keys)));
  const made = rows.find(
    ({ to_state, texts }) =>
      to_state === 'approved' &&
      // The message has its ending. Its campaign's text has its addresses, which short links replaced.
      texts.some(
        (template) =>
          (text !== null && matcherOf(template).matches(text, true)) ||
          (sample !== '' && matcherOf(template).matches(sample)),
      ),
  );
  const because = made
    ? { key: 'matched', params: { name: made.name, decided_at: made.created_at } }
    : { key: 'limited', params: {} };
  return { rule, result: 'passed', because };
}
