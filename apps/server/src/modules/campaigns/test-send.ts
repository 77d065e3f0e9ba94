import { testSend } from '@heliograph/contract/campaigns/quote';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { priceLookup, reserve } from '#modules/billing';
import { requireNumber } from '#modules/contacts';
import { enqueueMessages } from '#modules/delivery';
import { webFault } from '#modules/moderation';
import { OpenLimits } from '#modules/policy';
import { templateFault } from '#modules/templates';
import { audit } from '#platform/access/audit';
import { BusinessError, fieldError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { currentTextKey } from '#platform/text/text-keys';
import { checkSend } from './check-content.ts';
import { composer } from './composer.ts';
import { keptFieldsOf } from './contact-placeholders.ts';
import { openShortLinks, shortLinkBase } from './short-links.ts';
import { suppressed } from './suppression.ts';
import { parametersFor } from './template-values.ts';

const HOUR_MS = 3_600_000;

/** Mounts the test of a text on one number. It is priced, reserved and charged like any message. */
export function testSendRoute(app: App): void {
  mount(app, testSend, async (ctx, { body }) => {
    const msisdn = await requireNumber(ctx, body.number);
    const { sending, sender, account, composed, fields } = await checkSend(ctx, body, body.literal);
    const from = { corporation_id: sending.corporation_id, sender_id_id: body.sender_id };
    if ((await suppressed(ctx.db, from, [msisdn])).get(msisdn) === 'opted_out') throw fieldError('number', 'opted_out');
    const short_link_base = body.short_links ? await shortLinkBase(ctx.db, ctx.config, sending.corporation_id) : null;
    const compose = composer({ ...composed, own_texts: body.literal, short_link_base });
    const text = compose(body.values, body.content);
    if (text.reason === 'text_too_long') throw new BusinessError('text_too_long');
    if (text.web) throw webFault('content', text.web);
    if (text.reason === 'no_template') throw templateFault('content', sender);
    if (text.reason) throw fieldError('content', text.reason);
    const links =
      short_link_base === null ? null : openShortLinks(ctx.db, short_link_base, { ...sending, campaign_id: null });
    const sent = links ? links.shorten(text.written, msisdn) + composed.ending : text.text;
    await links?.flush();
    const { pricing, priceOf, resellerPriceOf } = await priceLookup(ctx.db, sending.billing_account_id, {
      at: ctx.clock.now(),
    });
    const unit_price = priceOf(msisdn);
    const cost = text.parts * unit_price;
    const { corporation_id, user_id } = sending;
    const counted = {
      corporation_id,
      user_id,
      api_key_id: null,
      sender_id_id: body.sender_id,
      msisdn,
      messages: 1,
      cost,
    };
    const limits = await OpenLimits.of(ctx.db, [{ ...counted, class: 'transactional' }], ctx.clock.now());
    const above = limits.take({ ...counted, class: 'transactional' });
    if (above) throw above;
    await limits.write();
    const reseller = pricing.reseller && { ...pricing.reseller, unit_price: resellerPriceOf!(msisdn) };
    const shared = {
      ...sending,
      campaign_id: null,
      class: 'transactional' as const,
      sender_id: sender,
      flash: body.flash,
      charge_on_delivery: account.charge_on_delivery,
      reseller,
      common_text: sent,
      text_key: await currentTextKey(ctx.db, ctx.config, sending.corporation_id),
      parameters: await parametersFor(ctx.db, sending.corporation_id, { ...body, ...keptFieldsOf(fields) }),
      expires_at: new Date(ctx.clock.now().getTime() + body.sms_validity * HOUR_MS).toISOString(),
    };
    const message = { msisdn, name: null, text: null, unicode: text.unicode, parts: text.parts, unit_price };
    const [message_id] = await enqueueMessages(ctx.db, shared, [message]);
    const reservation = {
      key: `message:${message_id}:reserve`,
      billing_account_id: sending.billing_account_id,
      corporation_id: sending.corporation_id,
      amount: cost,
      user_id: ctx.caller.user_id,
      pricing,
    };
    await reserve(
      ctx.db,
      reservation,
      reseller && {
        key: `${reservation.key}:reseller`,
        billing_account_id: reseller.billing_account_id,
        corporation_id: reseller.corporation_id,
        amount: text.parts * reseller.unit_price,
      },
    );
    await audit(ctx, {
      name: 'campaigns',
      description: 'test sent',
      subject_type: 'messages',
      subject_id: message_id!,
      corporation_id: sending.corporation_id,
    });
    return { data: { message_id: message_id!, parts: text.parts, cost: fromThousandths(cost), text: sent } };
  });
}
