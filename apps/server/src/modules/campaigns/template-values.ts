import { keptFields } from '@heliograph/contract/campaigns/contact-values';
import { bringsTexts } from '@heliograph/contract/campaigns/quote';
import { compileText, withAnyValues } from '@heliograph/contract/kernel/merge-fields';
import { type ParameterValues, valuesOfLines } from '@heliograph/contract/links/vendor-parameters';
import type { Kysely } from 'kysely';
import { readTemplateRules } from '#modules/templates';
import type { Database } from '#platform/database/db';
import type { CampaignContent } from './audience-plan.ts';
import { keysOf } from './contact-placeholders.ts';

/**
 * Returns the values of vendor parameters for the messages of a campaign: those of the approved template that its text is
 * made from, and over them its own; null for none. A file with a text for each person has only its own.
 */
export async function parametersFor(
  db: Kysely<Database>,
  corporationId: number,
  content: Pick<CampaignContent, 'content' | 'parameters'> &
    Partial<Pick<CampaignContent, 'content_type' | 'columns'>> & { contact_fields?: unknown },
): Promise<ParameterValues | null> {
  const rules = await readTemplateRules(db, corporationId);
  const common = bringsTexts(content)
    ? ''
    : withAnyValues(compileText(content.content, keysOf(keptFields.parse(content).contact_fields)));
  const ofTemplate = common === '' ? {} : rules.parametersOf(corporationId, common);
  const values = { ...ofTemplate, ...valuesOfLines(content.parameters) };
  return Object.keys(values).length > 0 ? values : null;
}
