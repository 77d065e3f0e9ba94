import { randomBytes } from 'node:crypto';
import * as contract from '@heliograph/contract/campaigns/campaign-test';
import { bringsTexts, type campaignContent } from '@heliograph/contract/campaigns/quote';
import { campaignSchedule } from '@heliograph/contract/campaigns/schedule';
import type { BodyOf } from '@heliograph/contract/kernel/operation';
import type { z } from 'zod';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import type { Sending } from '../audience-plan.ts';
import { slicesOf } from '../audience-slice.ts';
import { type Checked, checkSend, checkSources, rememberColumns } from '../check-content.ts';
import { askForQuote } from '../quotes.ts';
import { homeOfCampaign, planTimes } from '../schedule/plan-schedule.ts';
import { testOnWire } from './test-rows.ts';

type Body = BodyOf<typeof contract.createCampaignTest>;
type Content = z.output<typeof campaignContent>;

/** Mounts the call that splits the recipients of a test and counts what each variant would cost. */
export function createTestRoute(app: App): void {
  mount(app, contract.createCampaignTest, async (ctx, { body }) => {
    const { contents, sending, fields } = await checkVariants(ctx, body);
    const { common: _, variants, schedule, ...setUp } = body;
    const test = await ctx.db
      .insertInto('campaign_test')
      .values({
        ...setUp,
        event_name: setUp.metric === 'converted' ? setUp.event_name : null,
        schedule: JSON.stringify(schedule),
        corporation_id: sending.corporation_id,
        department_id: sending.department_id,
        created_by: sending.user_id,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    // The key keeps the slices of different tests independent, and is never shown.
    const key = randomBytes(16).toString('hex');
    const slices = slicesOf(test.id, key, variants.length, body.share_percent);
    for (const [at, content] of contents.entries()) {
      const sample = await askForQuote(ctx, { sending, fields: fields[at]! }, content, slices.samples[at]);
      const rest = slices.rest && (await askForQuote(ctx, { sending, fields: fields[at]! }, content, slices.rest));
      await ctx.db
        .insertInto('campaign_test_variant')
        .values({
          test_id: test.id,
          place: at + 1,
          corporation_id: test.corporation_id,
          start: variants[at]!.start,
          sample_quote_id: sample.id,
          rest_quote_id: rest?.id ?? null,
        })
        .execute();
    }
    await audit(ctx, {
      name: 'campaign-tests',
      description: 'created',
      subject_type: 'campaign-tests',
      subject_id: test.id,
      corporation_id: test.corporation_id,
      after: { ...setUp, variants: variants.length },
    });
    return { data: await testOnWire(ctx, test.id) };
  });
}

interface CheckedVariants {
  contents: Content[];
  /** Contact fields that the text of each variant uses. */
  fields: Checked['fields'][];
  sending: Sending;
}

/** Checks the common recipients and each variant, and returns the content of each. */
async function checkVariants(ctx: Context, body: Body): Promise<CheckedVariants> {
  const { common, metric, variants } = body;
  if (metric === 'converted' && body.event_name === null) throw fieldError('event_name', 'required');
  if (bringsTexts(common)) throw fieldError('common.content_type', 'test_one_text');
  if (common.language_texts.length > 0) throw fieldError('common.language_texts', 'test_one_language');
  const contents: Content[] = [];
  const fields: Checked['fields'][] = [];
  let sending: Sending | undefined;
  for (const [at, { start, ...variant }] of variants.entries()) {
    const path = `variants.${at}.`;
    const same = variants.findIndex((each) => JSON.stringify(each) === JSON.stringify(variants[at]));
    if (same < at) throw fieldError(`${path}content`, 'test_variant_same');
    if (metric === 'clicked' && !/https?:\/\//i.test(variant.content))
      throw fieldError(`${path}content`, 'test_needs_link');
    const content: Content = { ...common, ...variant, short_links: common.short_links || metric === 'clicked' };
    const checked = await named(path, () => checkSend(ctx, content));
    if (sending && sending.corporation_id !== checked.sending.corporation_id)
      throw fieldError(`${path}sender_id`, 'not_visible');
    sending = checked.sending;
    const { timezone } = await homeOfCampaign(ctx.db, sending.corporation_id);
    planTimes(campaignSchedule.parse({ ...body.schedule, start }), {
      zone: timezone,
      now: ctx.clock.now(),
      validity: content.sms_validity,
      path,
    });
    contents.push(content);
    fields.push(checked.fields);
  }
  await named('common.', () => checkSources(ctx, contents[0]!, sending!.corporation_id));
  await rememberColumns(ctx, contents[0]!);
  return { contents, fields, sending: sending! };
}

/** Fields of a content that each variant has for itself. */
const OWN: ReadonlySet<string> = new Set(['content', 'sender_id']);

/** Runs a check of a content, and names the fields of its refusal as the call has them. */
async function named<Result>(path: string, check: () => Promise<Result>): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof BusinessError) || !error.fields) throw error;
    const fields = Object.fromEntries(
      Object.entries(error.fields).map(([field, faults]) => [`${OWN.has(field) ? path : 'common.'}${field}`, faults]),
    );
    throw new BusinessError(error.code, { fields, params: error.params });
  }
}
