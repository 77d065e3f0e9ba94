import { isAdministration } from '@heliograph/contract/kernel/scope';
import { valuesOfLines } from '@heliograph/contract/links/vendor-parameters';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { checkParameters, readKnownParameters } from '#modules/carrier-routes';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler, ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { decidesFor, firstState, mayDecide, type PauseCampaigns, readSenderRules, recordEvent } from './life.ts';
import { requireSender } from './names.ts';

const stored = tableStore(senderId, { table: 'sender_id', from: 'sender_id_row' });
type Row = Awaited<ReturnType<typeof stored.get>>['data'];

const isPlatform = ({ caller }: Context) => isAdministration(caller.scope_level);

async function withDecisions<R extends Row>(ctx: Context, rows: readonly R[]): Promise<R[]> {
  const decides = await decidesFor(ctx);
  return rows.map((row) => ({ ...row, may_decide: mayDecide(decides, row) }));
}

/** Throws if the name of a sender ID may not change: it was decided about, or it is suspended. */
async function requireChangeable(ctx: Context, { state, held_name }: Row): Promise<void> {
  if (state === 'suspended') throw new BusinessError('sender_suspended');
  if (isPlatform(ctx) || state === 'draft' || state === 'rejected') return;
  const { needApproval } = await readSenderRules(ctx.db);
  if (needApproval || held_name || state !== 'approved') throw fieldError('sender_id', 'sender_name_decided');
}

/** Throws if a link knows no parameter of a name, or could not send a value. */
async function requireParameters(ctx: Context, lines: readonly string[] = []): Promise<void> {
  if (lines.length > 0) checkParameters(await readKnownParameters(ctx.db), valuesOfLines(lines));
}

/** Adds a sender ID: approved if its maker decides about it, or the operator asks for no approvals. */
export const createSender: Handler<(typeof senderId)['createOne']> = async (ctx, call) => {
  const { draft, ...fields } = call.body;
  await requireParameters(ctx, fields.parameters);
  await requireVisible(ctx, 'corporation', fields.corporation_id, 'corporation_id');
  const held_name = await requireSender(ctx, fields.corporation_id, fields.sender_id);
  const state = await firstState(ctx, { ...fields, draft, held_name });
  const body = { ...fields, state, held_name, requested_by: ctx.caller.user_id } as unknown as typeof call.body;
  const made = await stored.create(ctx, { ...call, body });
  await recordEvent(ctx.db, made.data, { from: null, to: state, user_id: ctx.caller.user_id });
  if (made.data.templates_only)
    await recordEvent(ctx.db, made.data, { from: state, to: 'templates_only', user_id: ctx.caller.user_id });
  return { ...made, data: (await withDecisions(ctx, [made.data]))[0]! };
};

/**
 * Returns the handlers of sender IDs. Nobody takes a name or number that belongs to somebody else. A sender ID that is
 * renamed or deleted pauses its campaigns, because their messages have its name.
 */
export const senderIds = (pauseCampaigns: PauseCampaigns): ResourceHandlers<typeof senderId> => ({
  async list(ctx, call) {
    const page = await stored.list(ctx, call);
    return { ...page, data: await withDecisions(ctx, page.data) };
  },
  async get(ctx, call) {
    const { data } = await stored.get(ctx, call);
    return { data: (await withDecisions(ctx, [data]))[0]! };
  },
  create: createSender,
  async update(ctx, call) {
    const { data: before } = await stored.get(ctx, call);
    await requireParameters(ctx, call.body.parameters);
    const { sender_id = before.sender_id } = call.body;
    const given = isPlatform(ctx) && { withheld: false };
    const renamed = sender_id !== before.sender_id;
    const held_name =
      renamed || (given && before.withheld)
        ? await requireSender(ctx, before.corporation_id, sender_id)
        : before.held_name;
    if (renamed) await requireChangeable(ctx, before);
    // An approved name cannot become a protected one without a new decision.
    if (held_name && !before.held_name && before.state === 'approved' && !isPlatform(ctx))
      throw fieldError('sender_id', 'name_protected');
    const body = { ...call.body, ...given, ...(renamed && { held_name }) };
    const updated = await stored.update(ctx, { ...call, body });
    if (updated.data.templates_only !== before.templates_only)
      await recordEvent(ctx.db, updated.data, {
        from: before.state,
        to: updated.data.templates_only ? 'templates_only' : 'any_text',
        user_id: ctx.caller.user_id,
      });
    if (renamed) {
      await pauseCampaigns(ctx.db, before);
      await recordEvent(ctx.db, updated.data, {
        from: before.state,
        to: 'renamed',
        user_id: ctx.caller.user_id,
        reason: before.sender_id,
      });
    }
    return { ...updated, data: (await withDecisions(ctx, [updated.data]))[0]! };
  },
  async remove(ctx, call) {
    const { data } = await stored.get(ctx, call);
    // Deleted and added again, it would have no suspension.
    if (data.state === 'suspended') throw new BusinessError('sender_suspended');
    const removed = await stored.remove(ctx, call);
    await pauseCampaigns(ctx.db, data);
    await recordEvent(ctx.db, data, { from: data.state, to: 'deleted', user_id: ctx.caller.user_id });
    return removed;
  },
});
