import * as contract from '@heliograph/contract/campaigns/quote';
import type { CampaignSchedule } from '@heliograph/contract/campaigns/schedule';
import { OpenLimits } from '#modules/policy';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { countedOf } from './campaign-state.ts';
import { findQuote, type Quote } from './quotes.ts';
import { endOfBlackout, type Home, homeOfCampaign, planTimes } from './schedule/plan-schedule.ts';
import { occurrenceOf } from './schedule/wall-time.ts';
import { heldAtStart } from './sending-hours.ts';

/** Mounts the call that judges a start of a quoted campaign before it is created. */
export function judgeStartRoute(app: App): void {
  mount(app, contract.judgeStart, async (ctx, { params, body: { schedule } }) => {
    const quote = await findQuote(ctx, params.id);
    if (quote.state !== 'ready') throw new BusinessError('changed_meanwhile');
    const home = await homeOfCampaign(ctx.db, quote.corporation_id);
    const now = ctx.clock.now();
    const validity = (quote.content as { sms_validity: number }).sms_validity;
    const { starts_at } = planTimes(schedule, { zone: home.timezone, now, validity });
    const second = occurrenceOf(schedule, home.timezone, 2);
    const judge = judgeOf(ctx, quote, home, schedule);
    return {
      data: {
        timezone: home.timezone,
        // Limits count a campaign when its cost is reserved: the first now, each later run shortly before it starts.
        start: await judge(starts_at ?? now, now),
        next: second && (await judge(second.starts_at, second.starts_at)),
      },
    };
  });
}

const judgeOf =
  (ctx: Context, quote: Quote, home: Home, { quiet }: CampaignSchedule) =>
  async (at: Date, reserved: Date): Promise<contract.StartVerdict> => {
    const held = await heldAtStart(ctx.db, quote, at, quiet);
    const blackout = ctx.caller.skip_blackout ? null : endOfBlackout(home, at);
    const limited = (await OpenLimits.of(ctx.db, [countedOf(quote)], reserved, { lock: false })).take(countedOf(quote));
    const refusal = blackout
      ? 'blackout_time'
      : held?.refused
        ? 'outside_hours'
        : limited
          ? 'sending_limit_reached'
          : null;
    const waits = held && !held.refused && held.until;
    return {
      at: at.toISOString(),
      hours_wait: waits ? { messages: held.messages, until: waits.toISOString() } : null,
      refusal,
      allowed_from: (blackout ?? (held?.refused ? held.until : null))?.toISOString() ?? null,
      limit_refusal: limited && contract.limitRefusal.parse(limited.params),
    };
  };
