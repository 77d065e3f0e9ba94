import { textEnding } from '@heliograph/contract/campaigns/compose-text';
import { bringsTexts, campaignContent } from '@heliograph/contract/campaigns/quote';
import { compileText } from '@heliograph/contract/kernel/merge-fields';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { type Pricing, priceLookup } from '#modules/billing';
import { unregisteredNumbers } from '#modules/carrier-routes';
import { readWebRules } from '#modules/moderation';
import { deadFinder } from '#modules/number-lookups';
import { audienceLimits, consentRule } from '#modules/policy';
import { readTemplateRules } from '#modules/templates';
import type { Config } from '#platform/config/config';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import { type FilesConfig, localFile } from '#platform/files/files';
import { readNumberRules } from '#platform/operator/number-rules';
import { sliceOf } from './audience-slice.ts';
import { msisdnsOf, type RecipientFile } from './audience-source.ts';
import { readBlockedWords } from './blocked-words.ts';
import { keysOf, storedFields, type TextField, valuesOfContacts } from './contact-placeholders.ts';
import type { AudiencePlan } from './expand-audience.ts';
import { segmentsOf } from './kept-segments.ts';
import { languagePlan } from './language-texts.ts';
import { namesOfFields } from './recipient-file.ts';
import { shortLinkBase, shortLinkHost } from './short-links.ts';
import { readingOf } from './uploads.ts';

export type CampaignContent = z.output<typeof campaignContent>;

/** Owner of a text. It decides the text's ending, its price and the blacklist that applies. */
export interface Sending {
  corporation_id: number;
  department_id: number | null;
  user_id: number;
  billing_account_id: number;
}

/** Settings for the place of files and the beginning of short links. */
export type PlanConfig = FilesConfig & Pick<Config, 'SHORT_LINK_URL' | 'PUBLIC_URL' | 'HOST' | 'PORT'>;

/**
 * Reads everything that a campaign's content refers to, as it is now. Throws `sender_not_allowed` if the sender ID was
 * deleted or may not be used, and `audience_changed` if a list or the file was deleted. With `priced` the prices are those of
 * that time. Segments are read as the quote found them; without a quote there are none.
 */
export async function loadPlan(
  db: Kysely<Database>,
  config: PlanConfig,
  sending: Sending,
  stored: unknown,
  priced: Pricing | null,
  now: Date,
  quoteId: number | null = null,
): Promise<AudiencePlan> {
  const content = campaignContent.parse(stored);
  const rules = await readNumberRules(db);
  const fields = await storedFields(db, sending.corporation_id, stored);
  const { sender, ...text } = await loadText(db, config, sending, content, fields);
  const traffic = { corporation_id: sending.corporation_id, sender_id: sender, class: 'bulk' as const };
  return {
    ...text,
    sender,
    dead: await deadFinder(db),
    skip_dead: content.skip_dead,
    unregistered: await unregisteredNumbers((query, values) => rowsOf(db, query, values), traffic),
    corporation_id: sending.corporation_id,
    sender_id_id: content.sender_id,
    own_texts: bringsTexts(content),
    short_link_base: content.short_links ? await shortLinkBase(db, config, sending.corporation_id) : null,
    sources: {
      lists: await loadLists(db, content.list_ids),
      segments: quoteId === null ? [] : segmentsOf(stored).map(({ id, name }) => ({ quote_id: quoteId, id, name })),
      custom_numbers: content.custom_numbers,
      file: await loadFile(db, config, content),
    },
    rules: content.read_national ? rules : { ...rules, national: null },
    left_out: msisdnsOf(content.blacklist_numbers, rules),
    slice: sliceOf(stored),
    consent: await consentRule(db, sending.corporation_id, content.list_ids),
    limits: await audienceLimits(db, sending.corporation_id, now),
    prices: await priceLookup(db, sending.billing_account_id, { recorded: priced }),
  };
}

/** Part of a plan that decides only the text. */
export type TextPlan = Pick<
  AudiencePlan,
  | 'text'
  | 'languages'
  | 'contact_values'
  | 'ending'
  | 'defaults'
  | 'skip_default_param'
  | 'blocked'
  | 'web'
  | 'templates'
  | 'skip_blacklist'
> & { sender: string };

/** Reads the settings that decide the text, which may use `fields` of contacts. Throws as `loadPlan` does. */
export async function loadText(
  db: Kysely<Database>,
  config: PlanConfig,
  sending: Sending,
  content: Pick<CampaignContent, 'sender_id' | 'content' | 'defaults'> &
    Partial<Pick<CampaignContent, 'skip_default_param' | 'language_texts'>>,
  fields: readonly TextField[] = [],
): Promise<TextPlan> {
  const from = await db
    .selectFrom('sender_id')
    .innerJoin('corporation', 'corporation.id', 'sender_id.corporation_id')
    .select(['sender_id.sender_id', 'sender_id.add_optout', 'corporation.opt_out_message'])
    .where('sender_id.id', '=', content.sender_id)
    .where('sender_id.corporation_id', '=', sending.corporation_id)
    .where('sender_id.usable', '=', true)
    .executeTakeFirst();
  if (!from) throw new BusinessError('sender_not_allowed');
  const user = await db
    .selectFrom('user_account')
    .select(['skip_blacklist', 'skip_signature'])
    .where('id', '=', sending.user_id)
    .executeTakeFirstOrThrow();
  const department =
    sending.department_id === null
      ? undefined
      : await db
          .selectFrom('department')
          .select('signature')
          .where('id', '=', sending.department_id)
          .where('corporation_id', '=', sending.corporation_id)
          .executeTakeFirst();
  return {
    sender: from.sender_id,
    text: compileText(content.content, keysOf(fields)),
    languages: languagePlan(content.language_texts ?? [], fields),
    contact_values: valuesOfContacts(fields, sending.corporation_id),
    ending: textEnding({
      signature: user.skip_signature ? null : (department?.signature ?? null),
      opt_out_message: from.add_optout ? from.opt_out_message : null,
    }),
    defaults: content.defaults,
    skip_default_param: content.skip_default_param ?? false,
    skip_blacklist: user.skip_blacklist,
    blocked: await readBlockedWords(db),
    web: await readWebCheck(db, config, sending.corporation_id, from.sender_id),
    templates: (await readTemplateRules(db, sending.corporation_id)).of(sending.corporation_id, from.sender_id),
  };
}

/** Reads the rules about web addresses for a sender ID; null if nothing is checked. */
async function readWebCheck(db: Kysely<Database>, config: PlanConfig, corporation_id: number, sender: string) {
  return (await readWebRules(db, [shortLinkHost(config)], corporation_id)).of(corporation_id, sender);
}

async function loadLists(db: Kysely<Database>, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('number_list')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return [...new Set(ids)].map((id) => {
    const name = names.get(id);
    if (name === undefined) throw new BusinessError('audience_changed');
    return { id, name };
  });
}

async function loadFile(
  db: Kysely<Database>,
  config: FilesConfig,
  { file_id, columns: chosen }: Pick<CampaignContent, 'file_id' | 'columns'>,
): Promise<RecipientFile | null> {
  if (file_id === null) return null;
  const row = await db
    .selectFrom('upload')
    .select(['file_path', 'file_name', 'columns', 'mapping', 'corporation_id', 'read_as'])
    .where('id', '=', file_id)
    .executeTakeFirst();
  if (!row) throw new BusinessError('audience_changed');
  const columns = row.columns as string[];
  const mapping = chosen ?? (row.mapping as RecipientFile['mapping'] | null) ?? namesOfFields(columns);
  return {
    open: () => localFile(config, row.file_path),
    name: row.file_name,
    tenant: row.corporation_id,
    reading: readingOf(row),
    columns,
    mapping,
  };
}
