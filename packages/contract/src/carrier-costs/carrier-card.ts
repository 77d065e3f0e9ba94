import { z } from 'zod';
import { cost, day, idText, instant, label, reference } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { personNumber } from '../kernel/personal.ts';
import { idParams, oneReply, resource } from '../kernel/resource.ts';
import { MESSAGE_CLASSES } from '../kernel/states.ts';
import { SENDER_KINDS, senderAddress } from '../senders/sender-id.ts';

/** Moment at which a carrier charges a part: when it accepts it, or when its message is delivered. */
export const CHARGED_ON = ['submit', 'delivery'] as const;
/** States of a card. A draft can be changed; an applied card never changes again. */
export const CARRIER_CARD_STATES = ['draft', 'scheduled', 'in_force', 'past'] as const;

/** Code of a currency, such as EUR. */
const currency = z.string().regex(/^[A-Z]{3}$/, { error: 'currency' });

const input = z.object({
  name: label(),
  currency,
  charged_on: z.enum(CHARGED_ON),
  /** First and last day in force, both included, in the platform's time zone. */
  starts_on: day,
  ends_on: day.nullable(),
});
const place = z.object({ link_id: reference('links') });

/**
 * Card of the prices that the carrier of a link takes. It is a draft until it is applied. The newest applied card whose
 * days include today is in force.
 */
export const carrierCard = resource({
  name: 'carrier-cards',
  row: place.extend({
    ...input.shape,
    link_name: z.string(),
    state: z.enum(CARRIER_CARD_STATES),
    /** Number of the card among the applied ones of its link. */
    version: z.int().nullable(),
    /** Number of its rates. */
    rates: z.int(),
    applied_at: instant.nullable(),
    applied_by_name: z.string().nullable(),
    /** Instants between which it is in force, unless a newer card is. */
    from_at: instant.nullable(),
    until_at: instant.nullable(),
  }),
  create: place.extend({
    ...input.shape,
    charged_on: input.shape.charged_on.default('submit'),
    ends_on: input.shape.ends_on.default(null),
    /** Begins with the rates of the link's newest applied card. */
    copy: z.boolean().default(false),
  }),
  update: input.partial(),
  filters: z.object({
    link_id: z.coerce.number().int().optional(),
    state: z.enum(CARRIER_CARD_STATES).optional(),
    currency: currency.optional(),
  }),
  sort: ['name', 'link_name', 'version', 'starts_on', 'created_at'],
  title: 'name',
  conflicts: { carrier_card_name_key: 'carrier_card_already_exists' },
  errors: ['carrier_card_applied'],
});

/**
 * Puts a draft into force from its first day, and a minute from now at the earliest. What was sent before keeps its
 * cost. Nobody can change the card or its rates afterwards.
 */
export const applyCarrierCard = operation({
  method: 'POST',
  path: '/api/v1/carrier-cards/:id/apply',
  permission: 'carrier-cards-apply',
  params: idParams,
  reply: oneReply(carrierCard.row),
  errors: ['not_found', 'carrier_card_applied', 'carrier_card_empty'],
});

/**
 * Differences of a rate from the present card. `changed`: the currency differs, or the moment of the charge, so that the
 * amounts cannot be compared.
 */
export const RATE_CHANGES = ['new', 'dearer', 'cheaper', 'changed', 'removed', 'same'] as const;

const count = z.int().nonnegative();

/** Compares the rates of a card on its first day with those of the card that is in force then without it. */
export const carrierCardChanges = operation({
  method: 'GET',
  path: '/api/v1/carrier-cards/:id/changes',
  permission: carrierCard.permissions.show,
  params: idParams,
  query: z.object({
    change: z.enum(RATE_CHANGES).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    page: z.coerce.number().int().min(1).max(100_000).default(1),
  }),
  reply: z.object({
    /** Card that it is compared with; null if there is none. */
    present: z.object({ id: z.int(), name: z.string(), version: z.int(), currency: z.string() }).nullable(),
    currency: z.string(),
    counts: z.object({ new: count, dearer: count, cheaper: count, changed: count, removed: count, same: count }),
    data: z.array(
      z.object({
        change: z.enum(RATE_CHANGES),
        prefix: z.string().nullable(),
        mcc: z.string().nullable(),
        mnc: z.string().nullable(),
        class: z.enum(MESSAGE_CLASSES).nullable(),
        sender_kind: z.enum(SENDER_KINDS).nullable(),
        amount: cost().nullable(),
        present_amount: cost().nullable(),
      }),
    ),
  }),
  errors: ['not_found'],
});

/** Returns the cost of one part to a number on each link, as the cards say at a time; unknown costs last. */
export const costOfNumber = operation({
  method: 'GET',
  path: '/api/v1/carrier-cards/cost',
  permission: carrierCard.permissions.index,
  query: z.object({
    number: z.string().trim().min(1).max(40),
    link_id: idText.optional(),
    class: z.enum(MESSAGE_CLASSES).default('bulk'),
    sender_id: senderAddress.optional(),
    /** Now by default. */
    at: instant.optional(),
  }),
  reply: z.object({
    /** The number in international format. */
    number: personNumber(z.string()),
    links: z.array(
      z.object({
        link_id: z.int(),
        link_name: z.string(),
        enabled: z.boolean(),
        /** Cost of a part; null if no rate of a card in force fits. */
        cost: z
          .object({
            amount: cost(),
            currency: z.string(),
            charged_on: z.enum(CHARGED_ON),
            carrier_card_id: z.int(),
            version: z.int(),
            /** Prefix or network of the rate. */
            matched: z.string(),
          })
          .nullable(),
      }),
    ),
  }),
});
