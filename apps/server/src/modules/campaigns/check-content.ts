import { withSampleLinks } from '@heliograph/contract/campaigns/short-link';
import {
  allFields,
  type CompiledText,
  hasFields,
  renderText,
  withAnyValues,
} from '@heliograph/contract/kernel/merge-fields';
import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import { countParts, MAX_PARTS } from '@heliograph/contract/kernel/segments';
import { valuesOfLines } from '@heliograph/contract/links/vendor-parameters';
import { checkParameters, readKnownParameters } from '#modules/carrier-routes';
import { anyLinkEnabled } from '#modules/delivery';
import { webFault } from '#modules/moderation';
import { templateFault } from '#modules/templates';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { readNumberRules } from '#platform/operator/number-rules';
import { type CampaignContent, loadText, type Sending, type TextPlan } from './audience-plan.ts';
import { splitPasted } from './audience-source.ts';
import { fieldsIn, type TextField } from './contact-placeholders.ts';
import { type ColumnMapping, namesOfFields } from './recipient-file.ts';
import { shortLinkBase } from './short-links.ts';
import { rememberMapping } from './uploads.ts';

/** Content that every send needs, to one number or to a million. */
export type SendContent = Pick<
  CampaignContent,
  'sender_id' | 'content' | 'defaults' | 'skip_default_param' | 'flash' | 'sms_validity' | 'short_links'
> &
  Partial<Pick<CampaignContent, 'parameters' | 'language_texts'>>;

export interface Checked {
  sending: Sending;
  /** Sender ID as phones show it. */
  sender: string;
  account: Account;
  composed: Awaited<ReturnType<typeof loadText>>;
  /** Fields of contacts that the text uses. */
  fields: readonly TextField[];
}

/** Returns the owner of a send and the account that pays. Throws `sender_not_allowed` and `billing_account_missing`. */
export async function findSending(ctx: Context, senderId: number) {
  const sender = await findSender(ctx, senderId);
  const account = await findAccount(ctx, sender.corporation_id);
  const sending: Sending = {
    corporation_id: sender.corporation_id,
    department_id: departmentOf(ctx, sender.corporation_id),
    user_id: ctx.caller.user_id,
    billing_account_id: account.id,
  };
  return { sending, sender: sender.sender_id, account };
}

/**
 * Checks everything that needs no counting: sender, account, flash, validity, text, route. Throws the first refusal.
 * Texts that are too long only for some recipients are found when the audience is counted. With `ownTexts` each
 * recipient has an own text, and the common one is not checked.
 */
export async function checkSend(ctx: Context, content: SendContent, ownTexts = false): Promise<Checked> {
  const { sending, sender, account } = await findSending(ctx, content.sender_id);
  if (content.flash && !account.flash_allowed) throw new BusinessError('flash_not_allowed');
  if (content.sms_validity > account.sms_validity) {
    throw fieldError('sms_validity', 'too_big', { count: account.sms_validity });
  }
  if (ownTexts && content.language_texts?.length) throw fieldError('language_texts', 'language_own_texts');
  const fields = ownTexts ? [] : await fieldsIn(ctx, content, sending.corporation_id);
  const composed = await loadText(ctx.db, ctx.config, sending, content, fields);
  const base = content.short_links ? await shortLinkBase(ctx.db, ctx.config, sending.corporation_id) : null;
  if (!ownTexts) checkText(content, composed, base);
  if (content.parameters?.length) await checkValues(ctx, content.parameters, sending.corporation_id);
  if (!(await anyLinkEnabled(ctx.db))) throw new BusinessError('no_route');
  return { sending, sender, account, composed, fields };
}

async function checkValues(ctx: Context, lines: readonly string[], corporationId: number): Promise<void> {
  const allowed = await mayGive(ctx, corporationId);
  checkParameters(await readKnownParameters(ctx.db), valuesOfLines(lines), 'parameters', allowed);
}

/** Tells if the campaigns of a corporation may give values of vendor parameters. */
export async function mayGive(ctx: Context, corporationId: number): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('corporation')
    .select('gives_parameters')
    .where('id', '=', corporationId)
    .executeTakeFirst();
  return found?.gives_parameters ?? false;
}

/** Part of a plan by which texts are checked. */
type Checking = Pick<TextPlan, 'text' | 'languages' | 'ending' | 'web' | 'templates'>;

function checkText({ content, defaults, skip_default_param }: SendContent, plan: Checking, base: string | null): void {
  if (content.trim() === '') throw fieldError('content', 'required');
  const texts = [
    ['content', plan.text] as const,
    ...[...(plan.languages?.texts.values() ?? [])].map(({ text }, at) => [`language_texts.${at}.text`, text] as const),
  ];
  for (const [field, { unknown }] of texts)
    if (unknown.length > 0)
      throw new BusinessError('unknown_placeholder', { fields: { [field]: [{ key: 'unknown_placeholder' }] } });
  // A name in one text and a blank in the next is rarely intended. Either all fields that the text uses have a default,
  // or none has.
  const used = [...new Set(texts.flatMap(([, text]) => allFields(text)))];
  const filled = used.filter((field) => defaults[field]);
  if (!skip_default_param && filled.length > 0) {
    const bare = used.filter((field) => !defaults[field]);
    const fields = Object.fromEntries(bare.map((field) => [`defaults.${field}`, [{ key: 'skip_all_or_fill_all' }]]));
    if (bare.length > 0) throw new BusinessError('validation_failed', { fields });
  }
  for (const [field, text] of texts) checkOneText(field, text, plan, base);
}

/** Checks a text as far as it is the same for all recipients. */
function checkOneText(
  field: string,
  compiled: CompiledText,
  { ending, web, templates }: Checking,
  base: string | null,
): void {
  // Each recipient's text is asked later. A text that fits nobody's is refused here.
  if (templates && !templates.passes(withAnyValues(compiled))) throw templateFault(field, templates.sender);
  // Measures the shortest possible text, because values of recipients replace the defaults.
  const rendered = renderText(compiled, {}, {}).text;
  if (countParts((base === null ? rendered : withSampleLinks(rendered, base)) + ending).parts > MAX_PARTS) {
    throw new BusinessError('text_too_long', { fields: { [field]: [{ key: 'text_too_long' }] } });
  }
  // A text with fields is asked for each recipient: a value may be a part of an address.
  const refusal = web?.enforced && !hasFields(compiled) ? web.find(rendered + ending) : null;
  if (refusal) throw webFault(field, refusal);
}

async function findSender(ctx: Context, id: number) {
  const sender = await ctx.db
    .selectFrom('sender_id')
    .select(['corporation_id', 'sender_id'])
    .where('id', '=', id)
    .where('usable', '=', true)
    .executeTakeFirst();
  if (!sender) {
    throw new BusinessError('sender_not_allowed', { fields: { sender_id: [{ key: 'not_visible' }] } });
  }
  return sender;
}

export type Account = Awaited<ReturnType<typeof findAccount>>;

/**
 * Returns the account that pays: the caller's own if it belongs to the corporation, otherwise the corporation's first
 * enabled one.
 */
async function findAccount(ctx: Context, corporationId: number) {
  const accounts = await ctx.db
    .selectFrom('billing_account')
    .select(['id', 'flash_allowed', 'sms_validity', 'charge_on_delivery', 'cost_warning_limit', 'enabled'])
    .where('corporation_id', '=', corporationId)
    .orderBy('id')
    .execute();
  const own = accounts.find(({ id }) => id === ctx.caller.billing_account_id);
  const account = own ?? accounts.find(({ enabled }) => enabled);
  if (!account) throw new BusinessError('billing_account_missing');
  return account;
}

/** Returns the caller's department if it belongs to the sending corporation. Its signature ends the texts. */
function departmentOf(ctx: Context, corporationId: number): number | null {
  const { department_id, corporation_id } = ctx.caller;
  return corporation_id === corporationId ? department_id : null;
}

/**
 * Checks that there is a recipient, and that the caller may use every source. If every row has its own text, there is
 * no text for other recipients.
 */
export async function checkSources(ctx: Context, content: CampaignContent, corporationId: number): Promise<void> {
  const lists = [...new Set(content.list_ids)];
  const pasted = splitPasted(content.custom_numbers).length > 0;
  if (content.content_type === 'multi') {
    if (content.file_id === null) throw new BusinessError('content_file_required', fieldOf('file_id'));
    if (lists.length > 0) throw fieldError('list_ids', 'multi_file_only');
    if (content.segment_ids.length > 0) throw fieldError('segment_ids', 'multi_file_only');
    if (pasted) throw fieldError('custom_numbers', 'multi_file_only');
  } else if (lists.length + content.segment_ids.length === 0 && content.file_id === null && !pasted) {
    throw new BusinessError('audience_empty');
  }
  await checkLeftOut(ctx, content.blacklist_numbers);
  if (lists.length > 0) {
    const usable = await ctx.db
      .selectFrom('number_list')
      .select('id')
      .where('id', 'in', lists)
      .where('corporation_id', '=', corporationId)
      .where('enabled', '=', true)
      .execute();
    if (usable.length < lists.length) throw fieldError('list_ids', 'not_visible');
  }
  if (content.file_id !== null) await checkFile(ctx, content.file_id, content);
  if (content.notify_number && (await ownNumber(ctx)) === null) {
    throw new BusinessError('notify_number_missing');
  }
}

/** Refuses numbers that are invalid. A typing error would otherwise send to a number that should be left out. */
async function checkLeftOut(ctx: Context, text: string): Promise<void> {
  const numbers = splitPasted(text);
  if (numbers.length === 0) return;
  const rules = await readNumberRules(ctx.db);
  const wrong = numbers.find((number) => checkNumber(number, rules).fault);
  if (wrong !== undefined) throw fieldError('blacklist_numbers', 'number_named', { number: wrong.trim().slice(0, 40) });
}

const fieldOf = (field: string) => ({ fields: { [field]: [{ key: 'required' }] } });

async function checkFile(ctx: Context, id: number, content: CampaignContent): Promise<void> {
  const upload = await ctx.db
    .selectFrom('upload')
    .select(['columns', 'mapping'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!upload) throw fieldError('file_id', 'not_visible');
  const { columns } = content;
  if (columns === null) {
    const mapping = (upload.mapping as ColumnMapping | null) ?? namesOfFields(upload.columns as string[]);
    // Several columns may hold the numbers, and the user has not chosen one.
    if (!mapping.includes('number')) throw fieldError('columns', 'column_number');
    return;
  }
  if (columns.length !== (upload.columns as string[]).length) throw fieldError('columns', 'invalid');
}

/** Stores the mapping of the file's columns as the person's choice for such files. */
export async function rememberColumns(ctx: Context, { file_id, columns }: CampaignContent): Promise<void> {
  if (file_id === null || columns === null) return;
  const upload = await ctx.db.selectFrom('upload').select('header_key').where('id', '=', file_id).executeTakeFirst();
  if (upload?.header_key) await rememberMapping(ctx.db, ctx.caller, upload.header_key, columns);
}

/** Returns the number in the caller's profile as the carrier needs it, or null if there is no valid one. */
export async function ownNumber(ctx: Context): Promise<string | null> {
  const { phone } = await ctx.db
    .selectFrom('user_account')
    .select('phone')
    .where('id', '=', ctx.caller.user_id)
    .executeTakeFirstOrThrow();
  const rules = { ...(await readNumberRules(ctx.db)), start_with_any_msisdn: true };
  return checkNumber(phone ?? '', rules).msisdn ?? null;
}
