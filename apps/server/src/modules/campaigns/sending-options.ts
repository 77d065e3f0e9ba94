import { sendingOptions } from '@heliograph/contract/campaigns/sending-options';
import { deadFinder } from '#modules/number-lookups';
import { languageFieldOf } from '#modules/templates';
import { type App, mount } from '#platform/http/http';
import { loadText } from './audience-plan.ts';
import { findSending, mayGive, ownNumber } from './check-content.ts';
import { usableFields } from './contact-placeholders.ts';
import { homeOfCampaign } from './schedule/plan-schedule.ts';
import { shortLinkBase } from './short-links.ts';
import { mayAskModel } from './suggest-text.ts';

/** Mounts the options of sending from a sender ID, and the text that it adds. */
export function sendingOptionsRoute(app: App): void {
  mount(app, sendingOptions, async (ctx, { query }) => {
    const { sending, account } = await findSending(ctx, query.sender_id);
    const { ending, templates } = await loadText(ctx.db, ctx.config, sending, {
      sender_id: query.sender_id,
      content: '',
      defaults: {},
    });
    const fields = await usableFields(ctx, sending.corporation_id);
    const language = languageFieldOf(fields);
    const { timezone, blackout } = await homeOfCampaign(ctx.db, sending.corporation_id);
    return {
      data: {
        ending,
        templates_only: templates !== null,
        timezone,
        blackout: ctx.caller.skip_blackout ? null : blackout,
        sms_validity: account.sms_validity,
        flash_allowed: account.flash_allowed,
        parameters_allowed: await mayGive(ctx, sending.corporation_id),
        lookups: (await deadFinder(ctx.db)) !== null,
        contact_fields: fields.map(({ key, name }) => ({ key, name })),
        language: language ? { key: language.key, name: language.name, choices: [...language.choices] } : null,
        text_model: await mayAskModel(ctx, sending.corporation_id),
        short_link_base: await shortLinkBase(ctx.db, ctx.config, sending.corporation_id),
        phone: (await ownNumber(ctx)) !== null,
      },
    };
  });
}
