import { compileText, renderText } from '@heliograph/contract/kernel/merge-fields';
import { countParts, MAX_PARTS } from '@heliograph/contract/kernel/segments';
import { anyLinkEnabled } from '#modules/delivery';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { type CampaignContent, loadText, type Sending } from './audience-plan.ts';
import { splitPasted } from './audience-source.ts';

/** What every send needs, whether to one number or to a million. */
export type SendContent = Pick<CampaignContent, 'sender_id' | 'content' | 'defaults' | 'flash' | 'sms_validity'>;

export interface Checked {
  sending: Sending;
  /** The sender ID as phones show it. */
  sender: string;
  account: Account;
  composed: Awaited<ReturnType<typeof loadText>>;
}

/**
 * Checks what can be checked at once: sender, account, flash, validity, text, route. Throws the first refusal; texts
 * that only some recipients make too long are found when the audience is counted.
 */
export async function checkSend(ctx: Context, content: SendContent): Promise<Checked> {
  const sender = await findSender(ctx, content.sender_id);
  const account = await findAccount(ctx, sender.corporation_id);
  if (content.flash && !account.flash_allowed) throw new BusinessError('flash_not_allowed');
  if (content.sms_validity > account.sms_validity) {
    throw fieldError('sms_validity', 'too_big', { count: account.sms_validity });
  }
  const sending: Sending = {
    corporation_id: sender.corporation_id,
    department_id: departmentOf(ctx, sender.corporation_id),
    user_id: ctx.caller.user_id,
    billing_account_id: account.id,
  };
  const composed = await loadText(ctx.db, sending, content);
  checkText(content, composed.ending);
  if (!(await anyLinkEnabled(ctx.db))) throw new BusinessError('no_route');
  return { sending, sender: sender.sender_id, account, composed };
}

function checkText({ content, defaults }: SendContent, ending: string): void {
  const compiled = compileText(content);
  if (compiled.unknown.length > 0) {
    throw new BusinessError('unknown_placeholder', { fields: { content: [{ key: 'unknown_placeholder' }] } });
  }
  // The shortest text there may be: values of recipients only take the place of the defaults.
  const rendered = renderText(compiled, {}, compiled.fields.length > 0 ? {} : defaults).text;
  if (countParts(rendered + ending).parts > MAX_PARTS) {
    throw new BusinessError('text_too_long', { fields: { content: [{ key: 'text_too_long' }] } });
  }
}

async function findSender(ctx: Context, id: number) {
  const sender = await ctx.db
    .selectFrom('sender_id')
    .select(['corporation_id', 'sender_id'])
    .where('id', '=', id)
    .where('enabled', '=', true)
    .executeTakeFirst();
  if (!sender) {
    throw new BusinessError('sender_not_allowed', { fields: { sender_id: [{ key: 'not_visible' }] } });
  }
  return sender;
}

export type Account = Awaited<ReturnType<typeof findAccount>>;

/** The account that pays: the caller's own where it is the corporation's, else the corporation's first enabled one. */
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

/** The caller's department where it is one of the sending corporation's; its signature ends the texts. */
function departmentOf(ctx: Context, corporationId: number): number | null {
  const { department_id, corporation_id } = ctx.caller;
  return corporation_id === corporationId ? department_id : null;
}

/** Checks that there is somebody to send to, and that the caller may use every source. */
export async function checkSources(ctx: Context, content: CampaignContent, corporationId: number): Promise<void> {
  const lists = [...new Set(content.list_ids)];
  if (lists.length === 0 && content.file_id === null && splitPasted(content.custom_numbers).length === 0) {
    throw new BusinessError('audience_empty');
  }
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
  if (content.file_id !== null) {
    const upload = await ctx.db.selectFrom('upload').select('id').where('id', '=', content.file_id).executeTakeFirst();
    if (!upload) throw fieldError('file_id', 'not_visible');
  }
}
