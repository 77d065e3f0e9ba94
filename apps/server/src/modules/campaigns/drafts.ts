import * as contract from '@heliograph/contract/campaigns/draft';
import { campaignContent } from '@heliograph/contract/campaigns/quote';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { containing } from '#platform/database/like';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import type { CampaignContent } from './audience-plan.ts';
import { isSealedContent, openContent, storedContent } from './sealed-content.ts';
import { uploadOnWire } from './uploads.ts';

type Draft = Selectable<Database['campaign_draft']>;
type DraftContent = z.output<typeof contract.draftContent>;

/** Maximum drafts that are kept for a person. */
const MOST_DRAFTS = 100;
const NAME_FROM_TEXT = 60;

/** Mounts the drafts of a person, which are kept on the server for use on any machine. */
export function draftRoutes(app: App): void {
  mount(app, contract.listDrafts, async (ctx, { query }) => {
    const { page, per_page, sort = '-updated_at', search } = query;
    const mine = ctx.db
      .selectFrom('campaign_draft')
      .where('user_id', '=', ctx.caller.user_id)
      .$if(search !== undefined && search !== '', (q) => q.where('name', 'ilike', containing(search!)));
    const { total } = await mine.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const data = await mine
      .select(['id', 'name', 'version', 'updated_at'])
      .orderBy(sort.replace('-', '') as 'updated_at' | 'name', sort.startsWith('-') ? 'desc' : 'asc')
      .orderBy('id', 'desc')
      .limit(per_page)
      .offset((page - 1) * per_page)
      .execute();
    return { data, meta: { page, per_page, total, pages: Math.ceil(total / per_page) } };
  });
  mount(app, contract.getDraft, async (ctx, { params }) => ({
    data: await draftOnWire(ctx, await find(ctx, params.id)),
  }));
  mount(app, contract.createDraft, async (ctx, { body }) => ({
    data: await draftOnWire(ctx, await add(ctx, body.content)),
  }));
  mount(app, contract.saveDraft, async (ctx, { params, body }) => {
    const stored = await columnsOf(ctx, body.content);
    const saved = await ctx.db
      .updateTable('campaign_draft')
      .set((eb) => ({
        ...stored,
        version: eb('version', '+', 1),
        updated_at: ctx.clock.now().toISOString(),
      }))
      .where('id', '=', params.id)
      .where('user_id', '=', ctx.caller.user_id)
      .where('version', '=', body.version)
      .returningAll()
      .executeTakeFirst();
    if (!saved) {
      await find(ctx, params.id);
      throw new BusinessError('changed_meanwhile');
    }
    return { data: await draftOnWire(ctx, saved) };
  });
  mount(app, contract.deleteDraft, async (ctx, { params }) => {
    const draft = await find(ctx, params.id);
    await ctx.db.deleteFrom('campaign_draft').where('id', '=', draft.id).execute();
    return {};
  });
  mount(app, contract.duplicateCampaign, async (ctx, { params }) => {
    const campaign = await ctx.db
      .selectFrom('campaign')
      .innerJoin('billing_account', 'billing_account.id', 'campaign.billing_account_id')
      .select(['campaign.name', 'campaign.content', 'campaign.corporation_id', 'billing_account.content_visible'])
      .where('campaign.id', '=', params.id)
      .executeTakeFirst();
    if (!campaign) throw new BusinessError('not_found');
    // A caller who may not read texts or numbers gets a copy without them.
    const visible = ctx.caller.content_visible && campaign.content_visible;
    const stored = { ...(campaign.content as CampaignContent), content: '', language_texts: [] };
    const content = campaignContent.parse(visible ? await openContent(ctx, campaign) : stored);
    const numbers = visible && ctx.caller.numbers_visible;
    const file = content.file_id === null ? null : await findFile(ctx, content.file_id);
    const draft = contract.draftContent.parse({
      ...content,
      name: campaign.name,
      content: visible ? content.content : '',
      custom_numbers: numbers ? content.custom_numbers : '',
      blacklist_numbers: numbers ? content.blacklist_numbers : '',
      file_id: file?.id ?? null,
      columns: file ? content.columns : null,
    });
    return { data: await draftOnWire(ctx, await add(ctx, draft)) };
  });
}

async function find(ctx: Context, id: number): Promise<Draft> {
  const draft = await ctx.db
    .selectFrom('campaign_draft')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', ctx.caller.user_id)
    .executeTakeFirst();
  if (!draft) throw new BusinessError('not_found');
  return draft;
}

async function add(ctx: Context, content: DraftContent): Promise<Draft> {
  const { corporation_id, user_id } = ctx.caller;
  const draft = await ctx.db
    .insertInto('campaign_draft')
    .values({ corporation_id, user_id, ...(await columnsOf(ctx, content)) })
    .returningAll()
    .executeTakeFirstOrThrow();
  await ctx.db
    .deleteFrom('campaign_draft')
    .where('user_id', '=', user_id)
    .where(
      'id',
      'in',
      ctx.db
        .selectFrom('campaign_draft')
        .select('id')
        .where('user_id', '=', user_id)
        .orderBy('updated_at', 'desc')
        .orderBy('id', 'desc')
        .offset(MOST_DRAFTS),
    )
    .execute();
  return draft;
}

/** Returns the columns of a draft. Its name is that of its campaign, or the beginning of a text that is not encrypted. */
async function columnsOf(ctx: Context, content: DraftContent) {
  const stored = await storedContent(ctx, ctx.caller.corporation_id, content);
  const text = isSealedContent(stored) ? '' : content.content.replace(/\s+/g, ' ').trim();
  return { name: (content.name.trim() || text).slice(0, NAME_FROM_TEXT), content: JSON.stringify(stored) };
}

/** Returns a file of the caller's own, as long as it is kept. */
const findFile = (ctx: Context, id: number) =>
  ctx.db
    .selectFrom('upload')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', ctx.caller.user_id)
    .executeTakeFirst();

async function draftOnWire(ctx: Context, draft: Draft) {
  const content = contract.draftContent.parse(await openContent(ctx, draft));
  const file = content.file_id === null ? undefined : await findFile(ctx, content.file_id);
  const { id, name, version, updated_at } = draft;
  return { id, name, version, updated_at, content, file: file ? uploadOnWire(file) : null };
}
