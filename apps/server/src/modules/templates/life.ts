import type { TEMPLATE_STATES } from '@heliograph/contract/templates/message-template';
import type { Selectable } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError, fieldError } from '#platform/errors';
import { enqueue } from '#platform/jobs/jobs';
import { tellTemplateNewsJob } from './tell-templates.ts';

type State = (typeof TEMPLATE_STATES)[number];
export type Template = Selectable<Database['message_template']>;

/** Locks a template until the transaction ends, and returns it. Throws `not_found`. */
export async function lockTemplate({ db }: Pick<Context, 'db'>, id: number): Promise<Template> {
  const row = await db.selectFrom('message_template').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return row;
}

/** Records a change of a template with its text in the history, and notifies the people concerned. */
export async function recordTemplate(
  ctx: Context,
  template: Omit<Template, 'created_at' | 'revision' | 'requested_by' | 'state_reason' | 'parameters'>,
  to: State | 'changed' | 'withdrawn' | 'deleted',
  reason: string | null = null,
): Promise<void> {
  const { id, corporation_id, department_id, name, state } = template;
  const event = await ctx.db
    .insertInto('template_event')
    .values({
      corporation_id,
      department_id,
      template_id: id,
      name,
      template: template.template,
      language_texts: JSON.stringify(template.language_texts),
      from_state: state,
      to_state: to,
      actor_id: ctx.caller.user_id,
      reason: reason || null,
      created_at: ctx.clock.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await enqueue(ctx.db, tellTemplateNewsJob, { event_id: event.id });
}

/** Moves a locked template to another state, with its history and its entry in the log. */
async function changeState(
  ctx: Context,
  template: Template,
  to: State,
  reason: string | null = null,
  step: State | 'withdrawn' = to,
): Promise<void> {
  const set = {
    state: to,
    state_reason: reason || null,
    ...(to === 'submitted' && { requested_by: ctx.caller.user_id }),
  };
  await ctx.db.updateTable('message_template').set(set).where('id', '=', template.id).execute();
  await recordTemplate(ctx, template, step, reason);
  await audit(ctx, {
    name: 'message-templates',
    description: step,
    subject_type: 'message-templates',
    subject_id: template.id,
    corporation_id: template.corporation_id,
    before: { state: template.state },
    after: { state: to, template: template.template, language_texts: template.language_texts, reason },
  });
}

async function approve(ctx: Context, template: Template, reason: string | null): Promise<void> {
  const values = {
    template_id: template.id,
    corporation_id: template.corporation_id,
    template: template.template,
    language_texts: JSON.stringify(template.language_texts),
    parameters: template.parameters,
    approved_at: ctx.clock.now().toISOString(),
  };
  await ctx.db
    .insertInto('approved_template')
    .values(values)
    .onConflict((conflict) => conflict.column('template_id').doUpdateSet(values))
    .execute();
  await changeState(ctx, template, 'approved', reason);
}

/** Submits a template; `decides` approves it with the request. Throws `invalid_transition` if it waits or is approved. */
export async function submit(ctx: Context, id: number, decides: (template: Template) => boolean): Promise<void> {
  const template = await lockTemplate(ctx, id);
  if (template.state !== 'draft' && template.state !== 'rejected') throw new BusinessError('invalid_transition');
  if (decides(template)) await approve(ctx, template, null);
  else await changeState(ctx, template, 'submitted');
}

/** Rules for who decides, as they were read for a call. */
interface Deciders {
  fourEyes: boolean;
  decides(template: Pick<Template, 'corporation_id'>): boolean;
}

/**
 * Applies a decision to one template. Throws `forbidden`, `template_changed`, `invalid_transition` and
 * `sender_four_eyes`.
 */
export async function decide(
  ctx: Context,
  { id, revision }: { id: number; revision: number },
  { decision, reason }: { decision: 'approve' | 'reject' | 'withdraw'; reason: string },
  { decides, fourEyes }: Deciders,
): Promise<void> {
  const template = await lockTemplate(ctx, id);
  if (!decides(template)) throw new BusinessError('forbidden');
  if (template.revision !== revision) throw new BusinessError('template_changed');
  if (fourEyes && decision === 'approve' && template.requested_by === ctx.caller.user_id)
    throw new BusinessError('template_four_eyes');
  if (decision !== 'approve' && reason === '') throw fieldError('reason', 'required');
  if (decision === 'withdraw') {
    const { numDeletedRows } = await ctx.db
      .deleteFrom('approved_template')
      .where('template_id', '=', id)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw new BusinessError('invalid_transition');
    await changeState(ctx, template, 'rejected', reason, 'withdrawn');
  } else if (template.state !== 'submitted') throw new BusinessError('invalid_transition');
  else if (decision === 'approve') await approve(ctx, template, reason);
  else await changeState(ctx, template, 'rejected', reason);
}
