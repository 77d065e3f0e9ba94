import { countParts } from '@heliograph/contract/kernel/segments';
import { enqueueMessages } from '#modules/delivery';
import type { SendOwnText } from '#modules/identity';
import { BusinessError } from '../platform/errors.ts';

/** Owner of the platform's own texts: no corporation and no account, so they are free. */
const PLATFORM = {
  corporation_id: 0,
  department_id: null,
  billing_account_id: 0,
  campaign_id: null,
  reseller: null,
  class: 'otp',
  flash: false,
  charge_on_delivery: false,
  text_key: null,
} as const;

/**
 * Hands a text of the platform's own to the pipeline, ahead of everything else; without a link only the mail is sent.
 */
export const sendOwnText: SendOwnText = async (db, { msisdn, text, sender_id, user_id, expires_at }) => {
  const { parts, encoding } = countParts(text);
  const shared = { ...PLATFORM, user_id, sender_id, common_text: text, expires_at };
  const message = { msisdn, name: null, text: null, unicode: encoding === 'ucs2', parts, unit_price: 0 };
  await enqueueMessages(db, shared, [message]).catch((error: unknown) => {
    if (!(error instanceof BusinessError && error.code === 'no_route')) throw error;
  });
};
