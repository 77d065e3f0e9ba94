import { z } from 'zod';
import { id, idText, instant, label, reference, text } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { resource } from '../kernel/resource.ts';
import { WEB_LINK_REASONS } from './web-domain.ts';

/** Traffic that a rule is about. */
const MODERATED_TRAFFIC = ['all', 'campaigns', 'programs'] as const;

const input = z.object({
  name: label(),
  /** `hold`: texts that fit wait for a decision. `pass`: texts that fit never wait, whatever the other rules say. */
  action: z.enum(['hold', 'pass']),
  traffic: z.enum(MODERATED_TRAFFIC),
  corporation_id: reference('corporations').nullable(),
  /** Network of the number by its first digits, whatever a lookup says; empty for every network. */
  network_id: reference('networks').nullable(),
  /** Sender ID; `*` stands for any characters. */
  sender: label(40).nullable(),
  /** Words and phrases of which a text has at least one; `*` stands for any characters. None fits every text. */
  words: z.array(label(100)).max(200),
  /** True fits only texts with a web address. */
  web_address: z.boolean(),
  /** Fewest messages of a campaign, or of a program's call; empty for any number. */
  min_messages: z.int().min(1).max(100_000_000).nullable(),
  /** Days for which a sender ID counts as new; the rule then fits only new ones. */
  new_days: z.int().min(1).max(365).nullable(),
  enabled: z.boolean(),
});

/** Rule that holds texts for a decision of the platform, or lets them pass. All its conditions must fit. */
export const moderationRule = resource({
  name: 'moderation-rules',
  row: input.extend({ corporation_name: z.string().nullable(), network_name: z.string().nullable() }),
  create: input.extend({
    action: input.shape.action.default('hold'),
    traffic: input.shape.traffic.default('all'),
    corporation_id: input.shape.corporation_id.default(null),
    network_id: input.shape.network_id.default(null),
    sender: input.shape.sender.default(null),
    words: input.shape.words.default([]),
    web_address: z.boolean().default(false),
    min_messages: input.shape.min_messages.default(null),
    new_days: input.shape.new_days.default(null),
    enabled: z.boolean().default(true),
  }),
  update: input.partial(),
  filters: z.object({
    action: input.shape.action.optional(),
    corporation_id: z.coerce.number().int().optional(),
    network_id: z.coerce.number().int().optional(),
    enabled: z.stringbool().optional(),
  }),
  sort: ['name', 'created_at'],
  title: 'name',
  groups: {
    general: ['name', 'action', 'traffic', 'enabled'],
    conditions: ['words', 'web_address', 'corporation_id', 'network_id', 'sender', 'min_messages', 'new_days'],
  },
  conflicts: { moderation_rule_name_key: 'moderation_rule_already_exists' },
});

/** Tells what the rules would do with a text, without sending it: web addresses first, then rules that hold. */
export const tryModeration = operation({
  method: 'GET',
  path: '/api/v1/moderation-rules/explain',
  permission: 'moderation-rules-index',
  query: z.object({
    corporation_id: idText,
    sender: label(40),
    text: text(1_530),
    /** Number that the text is for; without it, rules for a network do not fit. */
    number: z.string().trim().max(40).default(''),
    traffic: z.enum(['campaigns', 'programs']).default('campaigns'),
    /** Messages of the campaign or call that the text is for. */
    messages: z.coerce.number().int().min(1).max(100_000_000).default(1),
  }),
  reply: z.object({
    data: z.object({
      /** False if web addresses are not checked for the corporation. */
      checks_links: z.boolean(),
      /** First web address that breaks the rules, and whether its text is refused or only counted; null if none does. */
      web: z.object({ domain: z.string(), reason: z.enum(WEB_LINK_REASONS), refused: z.boolean() }).nullable(),
      /** Name of the rule that lets the text pass, whatever the others say; null if none does. */
      passed_by: z.string().nullable(),
      /** Name of the rule that holds the text; null if none does. */
      held_by: z.string().nullable(),
    }),
  }),
});

/** States of held texts. `withdrawn`: their owner stopped or edited them, or they expired, before a decision. */
export const MODERATION_STATES = ['waiting', 'approved', 'rejected', 'withdrawn'] as const;

/** Lists the campaigns and messages that wait for a decision, oldest first; or those that were decided, newest first. */
export const moderationQueue = listing({
  path: '/api/v1/moderation',
  permission: 'moderation-index',
  row: z.object({
    id,
    created_at: instant,
    state: z.enum(MODERATION_STATES),
    corporation_id: id,
    corporation_name: z.string(),
    sender_id: z.string(),
    campaign_id: id.nullable(),
    /** Name of the campaign; null for messages of programs. */
    campaign_name: z.string().nullable(),
    /** Name of the rule that held them. */
    rule_name: z.string(),
    messages: z.int(),
    /** Texts that fitted the rule, with digits hidden; empty if the caller may not read texts. */
    samples: z.array(z.string()),
    expires_at: instant.nullable(),
    reason: z.string().nullable(),
    decided_by_name: z.string().nullable(),
    decided_at: instant.nullable(),
  }),
  filters: z.object({
    state: z.enum(['waiting', 'decided']).optional(),
    corporation_id: z.coerce.number().int().optional(),
    search: z.string().trim().max(100).optional(),
  }),
  errors: ['malformed_request'],
});

/** Sends held campaigns and messages, or ends them. Those that no longer wait stay as they are. */
export const decideModeration = operation({
  method: 'POST',
  path: '/api/v1/moderation/decisions',
  permission: 'moderation-decide',
  proof: 'sometimes',
  body: z.object({
    ids: z.array(id).min(1).max(200),
    decision: z.enum(['approved', 'rejected']),
    /** Reason that the customer reads; required for a rejection. */
    reason: text(300).default(''),
    /** True also adds a rule: texts of the same sender ID pass from now on, or wait. */
    remember: z.boolean().default(false),
  }),
  reply: z.object({ data: z.object({ decided: z.int() }), message: z.string() }),
});
