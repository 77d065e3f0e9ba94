import { z } from 'zod';
import { idText, label, money, newSecret, reference, text } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { resource } from '../kernel/resource.ts';

/** Providers of payments that are made in their own pages, and transfers that a person checks. */
export const PAYMENT_DRIVERS = ['stripe', 'paymongo', 'maya', 'bank_transfer'] as const;
export type PaymentDriver = (typeof PAYMENT_DRIVERS)[number];
/** `simulated` is the provider in the payment simulator of `npm start`: no money moves. */
export const PAYMENT_MODES = ['live', 'test', 'simulated'] as const;

const input = z.object({
  /** Reseller whose customers pay with it; empty for the platform's own customers. */
  corporation_id: reference('corporations').nullable(),
  /** Name that customers see. */
  name: label(60),
  driver: z.enum(PAYMENT_DRIVERS),
  mode: z.enum(PAYMENT_MODES),
  currency: z.string().regex(/^[A-Z]{3}$/, { error: 'currency' }),
  enabled: z.boolean(),
  /** Smallest and largest top-up, without the fee. */
  minimum: money({ digits: 8, decimals: 2 }),
  maximum: money({ digits: 8, decimals: 2 }),
  /** Percent of the amount that the provider takes, and a fixed part. */
  fee_percent: money({ digits: 2 }),
  fee_fixed: money({ digits: 6, decimals: 2 }),
  /** Payer of the fee: the customer on top of the amount, or the seller out of it. */
  fee_payer: z.enum(['customer', 'seller']),
  /** Public key, which only Maya has. */
  public_key: label(200).nullable(),
  /** Text with the bank account to which customers transfer. */
  instructions: text(2000).nullable(),
  /** Bank transfers above this amount need the approval of two people; empty for none. */
  four_eyes_above: money({ digits: 8, decimals: 2 }).nullable(),
});
const { shape } = input;
const secrets = { secret_key: newSecret.nullable(), webhook_secret: newSecret.nullable() };

/** Account at a payment provider that receives the money of top-ups. Customers see its name, limits and fee only. */
export const merchantAccount = resource({
  name: 'merchant-accounts',
  proof: { create: 'always', update: 'always' },
  row: input.extend({
    corporation_name: z.string().nullable(),
    has_secret_key: z.boolean(),
    has_webhook_secret: z.boolean(),
  }),
  create: z.object({
    corporation_id: shape.corporation_id.default(null),
    name: shape.name,
    driver: shape.driver,
    mode: shape.mode.default('live'),
    currency: shape.currency,
    enabled: z.boolean().default(true),
    minimum: shape.minimum.default('100'),
    maximum: shape.maximum.default('100000'),
    fee_percent: shape.fee_percent.default('0'),
    fee_fixed: shape.fee_fixed.default('0'),
    fee_payer: shape.fee_payer.default('seller'),
    public_key: shape.public_key.default(null),
    /** Secret key of the provider; never answered. */
    secret_key: secrets.secret_key.default(null),
    /** Secret that signs the provider's notices; never answered. */
    webhook_secret: secrets.webhook_secret.default(null),
    instructions: shape.instructions.default(null),
    four_eyes_above: shape.four_eyes_above.default(null),
  }),
  update: input.omit({ corporation_id: true, driver: true, mode: true, currency: true }).extend(secrets).partial(),
  filters: z.object({
    driver: shape.driver.optional(),
    mode: shape.mode.optional(),
    enabled: z.stringbool().optional(),
  }),
  sort: ['name', 'driver', 'created_at'],
  title: 'name',
  conflicts: { merchant_account_name_key: 'merchant_account_already_exists' },
});

/** Returns the address that the provider calls about payments. It is secret: only the provider gets it. */
export const noticeAddress = operation({
  method: 'GET',
  path: '/api/v1/merchant-accounts/:id/notice-address',
  permission: 'merchant-accounts-edit',
  proof: 'always',
  params: z.object({ id: idText }),
  reply: z.object({ data: z.object({ url: z.string() }) }),
  errors: ['not_found'],
});

/** Path of the public addresses for providers' notices; a key follows. */
export const NOTICE_PATH = '/pay/notices';

/** Registers the address for notices at the provider, with the secret key. The secret that signs them is stored. */
export const registerNotices = operation({
  method: 'POST',
  path: '/api/v1/merchant-accounts/:id/register',
  permission: 'merchant-accounts-edit',
  proof: 'always',
  params: z.object({ id: idText }),
  reply: z.object({ message: z.string() }),
  errors: ['not_found'],
});
