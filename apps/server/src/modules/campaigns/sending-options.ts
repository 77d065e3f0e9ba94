import { sendingOptions } from '@heliograph/contract/campaigns/sending-options';
import { type App, mount } from '#platform/http/http';
import { loadText } from './audience-plan.ts';
import { findSending, ownNumber } from './check-content.ts';
import { homeOfCampaign } from './schedule/plan-schedule.ts';
import { shortLinkBase } from './short-links.ts';

/** Mounts the options of sending from a sender ID, and the text that it adds. */
export function sendingOptionsRoute(app: App): void {
  mount(app, sendingOptions, async (ctx, { query }) => {
    const { sending, account } = await findSending(ctx, query.sender_id);
    const { ending } = await loadText(ctx.db, sending, { sender_id: query.sender_id, content: '', defaults: {} });
    const { timezone, blackout } = await homeOfCampaign(ctx.db, sending.corporation_id);
    return {
      data: {
        ending,
        timezone,
        blackout: ctx.caller.skip_blackout ? null : blackout,
        sms_validity: account.sms_validity,
        flash_allowed: account.flash_allowed,
        short_link_base: shortLinkBase(ctx.config),
        phone: (await ownNumber(ctx)) !== null,
      },
    };
  });
}
