import { z } from 'zod';
import { bulkUploadOf } from '../kernel/bulk-upload.ts';
import { day, id, idText, instant, reference, text } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { idParams, oneReply, resource } from '../kernel/resource.ts';
import { encodingOf, segment } from '../kernel/segments.ts';
import { parameterLines } from '../links/vendor-parameters.ts';

/** Returns whether an address is a number, or is written like one: phones can write to it. */
export const isNumeric = (address: string): boolean => /^[\d\s+().-]*$/.test(address);

/** Kinds of senders, as carriers price and treat them: a name, a number of up to eight digits, or a longer one. */
export const SENDER_KINDS = ['alphanumeric', 'short_code', 'number'] as const;
export type SenderKind = (typeof SENDER_KINDS)[number];

/** Maximum digits of a short code. */
const SHORT_CODE_DIGITS = 8;

/** Returns the kind of a sender's address. */
export function senderKind(address: string): SenderKind {
  if (!isNumeric(address)) return 'alphanumeric';
  return address.replace(/\D/g, '').length > SHORT_CODE_DIGITS ? 'number' : 'short_code';
}

/** Maximum septets of an alphanumeric sender, by 3GPP TS 23.040. */
const NAME_SEPTETS = 11;

function isSenderAddress(address: string): boolean {
  if (isNumeric(address)) return /^\d{3,15}$/.test(address);
  return !/\p{Cc}/u.test(address) && encodingOf(address) === 'gsm' && segment(address).units <= NAME_SEPTETS;
}

/** A name of 1 to 11 GSM characters (those of the extension table count twice), or a number of 3 to 15 digits. */
export const senderAddress = z
  .string()
  .trim()
  .max(15, { error: 'sender_id' })
  .refine(isSenderAddress, { error: 'sender_id' });

/**
 * States of a sender ID. Messages leave only under an approved one. `suspended`: taken out of use with its waiting
 * messages. `expired`: its time is over, and it needs a new decision.
 */
export const SENDER_STATES = ['draft', 'submitted', 'approved', 'rejected', 'suspended', 'expired'] as const;
export type SenderState = (typeof SENDER_STATES)[number];

const input = z.object({
  sender_id: senderAddress,
  corporation_id: reference('corporations'),
  enabled: z.boolean(),
  is_promotional: z.boolean(),
  /** True adds the corporation's opt-out text to every campaign text. */
  add_optout: z.boolean(),
  /** Maximum messages a second; empty if it has no limit of its own. */
  throughput: z.int().min(1).max(100_000).nullable(),
  optout_keyword: z
    .string()
    .trim()
    .regex(/^[\p{L}\p{N}]{2,20}$/u, { error: 'optout_keyword' })
    .nullable(),
  /** Texts that it is for, and the right to the name, for the people who decide. */
  purpose: text(500).nullable(),
  /** True if only texts made from an approved template of its corporation may leave under it. */
  templates_only: z.boolean(),
  /** Values of vendor parameters for all its messages, as name=value. */
  parameters: parameterLines,
});

export const senderId = resource({
  name: 'sender-ids',
  row: input.extend({
    corporation_name: z.string(),
    /** True if the sender ID has no effect because the platform gave the number or name to somebody else. */
    withheld: z.boolean(),
    state: z.enum(SENDER_STATES),
    /** Reason of a rejection or suspension. */
    state_reason: z.string().nullable(),
    /** Last day on which it may be used, in the platform's time zone; null without an end. */
    expires_on: day.nullable(),
    requested_by_name: z.string().nullable(),
    /** True if the name is protected, or looks like a protected one: only the platform decides. */
    held_name: z.boolean(),
    /** Whether messages may leave under it now: approved, enabled, and nobody else's. */
    usable: z.boolean(),
    /** Whether the caller may approve, reject or suspend it. */
    may_decide: z.boolean(),
  }),
  create: input.extend({
    enabled: z.boolean().default(true),
    is_promotional: z.boolean().default(false),
    add_optout: z.boolean().default(false),
    throughput: input.shape.throughput.default(null),
    optout_keyword: input.shape.optout_keyword.default(null),
    purpose: input.shape.purpose.default(null),
    templates_only: input.shape.templates_only.default(false),
    parameters: parameterLines.default([]),
    /** True keeps it as a draft, so that documents can be added before it is submitted. */
    draft: z.boolean().default(false),
  }),
  update: input.omit({ corporation_id: true }).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    state: z.enum(SENDER_STATES).optional(),
    enabled: z.stringbool().optional(),
    usable: z.stringbool().optional(),
  }),
  sort: ['sender_id', 'corporation_name', 'created_at'],
  title: 'sender_id',
  conflicts: { sender_id_corporation_id_sender_id_key: 'sender_ids_already_exist' },
  errors: ['number_already_given', 'sender_suspended'],
});

/** Submits a draft, or a rejected or expired sender ID again. Without the rule of approvals a draft is approved. */
export const submitSenderId = operation({
  method: 'POST',
  path: '/api/v1/sender-ids/:id/submit',
  permission: 'sender-ids-edit',
  params: idParams,
  reply: oneReply(senderId.row),
  errors: ['not_found', 'invalid_transition'],
});

const reason = text(500);

/**
 * Approves, rejects or suspends sender IDs, each by itself: a refused one does not stop the others. A suspension takes
 * effect within a second: running campaigns are paused, and messages that wait are ended with their money released.
 * Approving lifts a suspension. A rejection and a suspension need a reason, which the owner sees.
 */
export const decideSenderIds = operation({
  method: 'POST',
  path: '/api/v1/sender-ids/decisions',
  permission: 'sender-ids-decide',
  body: z.object({
    ids: z.array(id).min(1).max(100),
    decision: z.enum(['approve', 'reject', 'suspend']),
    reason: reason.default(''),
    /** Last day of an approval, in the platform's time zone; null for no end. */
    expires_on: day.nullable().default(null),
  }),
  reply: z.object({
    data: z.array(z.object({ id: z.int(), error_code: z.string().nullable(), message: z.string().nullable() })),
  }),
});

/** An entry of a sender ID's history. */
export const senderEvent = z.object({
  created_at: instant,
  from_state: z.enum(SENDER_STATES).nullable(),
  /**
   * Those after `deleted` leave the state as it is. The reason of a document is the name of its file; `assigned` and
   * `taken_back` are about a number.
   */
  to_state: z.enum([
    ...SENDER_STATES,
    'renamed',
    'deleted',
    'document_added',
    'document_removed',
    'registration_requested',
    'registration_registered',
    'registration_rejected',
    'registration_ended',
    'assigned',
    'taken_back',
    'templates_only',
    'any_text',
  ]),
  /** Name or number at that time. */
  sender_id: z.string(),
  /** Person who caused it; null if it was the program, or a person outside the caller's scope. */
  user_name: z.string().nullable(),
  reason: z.string().nullable(),
  expires_on: day.nullable(),
  /** Link of an entry about a registration; null for others, and for people outside the platform. */
  link_name: z.string().nullable(),
});

/** Reads the history of a sender ID: who requested and decided, when and why; the newest first. */
export const getSenderHistory = operation({
  method: 'GET',
  path: '/api/v1/sender-ids/:id/history',
  permission: 'sender-ids-show',
  params: idParams,
  reply: z.object({ data: z.array(senderEvent) }),
  errors: ['not_found'],
});

/** Header of a file of sender IDs; only the first column is required. */
export const SENDER_COLUMNS = ['sender_id', 'is_promotional', 'add_optout', 'optout_keyword', 'enabled'] as const;

/** Adds every sender ID of a file to a corporation. */
export const uploadSenderIds = bulkUploadOf('sender-ids', 'sender-ids-upload', z.object({ corporation_id: idText }));
