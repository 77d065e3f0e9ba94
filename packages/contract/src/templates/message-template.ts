import { z } from 'zod';
import { id, instant, label, reference, text } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { idParams, oneReply, resource } from '../kernel/resource.ts';
import { parameterLines } from '../links/vendor-parameters.ts';
import { languageTexts } from './language-texts.ts';
import { hasKnownPlaceholders } from './template-pattern.ts';

/** States of a template. Sender IDs that are limited to approved templates send only texts made from a valid one. */
export const TEMPLATE_STATES = ['draft', 'submitted', 'approved', 'rejected'] as const;

const input = z.object({
  corporation_id: reference('corporations'),
  department_id: reference('departments'),
  name: label(),
  /** Text from which a campaign can start, with the placeholders of a campaign or of an approved template. */
  template: z.string().min(1).max(1530).refine(hasKnownPlaceholders, { error: 'unknown_placeholder' }),
  /** Texts for contacts of other languages. They are submitted and approved with the text. */
  language_texts: languageTexts,
  /** Values of vendor parameters for all messages made from its approved text, as name=value. */
  parameters: parameterLines,
});

export const messageTemplate = resource({
  name: 'message-templates',
  area: 'templates',
  row: input.extend({
    corporation_name: z.string(),
    department_name: z.string(),
    state: z.enum(TEMPLATE_STATES),
    /** Reason of a rejection. */
    state_reason: z.string().nullable(),
    requested_by_name: z.string().nullable(),
    /** Text that was approved last and is valid; null if there is none. A changed template keeps it until a decision. */
    approved_text: z.string().nullable(),
    /** Texts by language that were approved with it. */
    approved_language_texts: languageTexts,
    valid: z.boolean(),
    /** Number of the text, which a decision names. */
    revision: z.int(),
    /** Whether the caller may approve or reject it. */
    may_decide: z.boolean(),
  }),
  create: input.extend({ language_texts: languageTexts.default([]), parameters: parameterLines.default([]) }),
  update: input.omit({ corporation_id: true, department_id: true }).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    department_id: z.coerce.number().int().optional(),
    state: z.enum(TEMPLATE_STATES).optional(),
    valid: z.stringbool().optional(),
  }),
  sort: ['name', 'corporation_name', 'department_name', 'created_at'],
  title: 'name',
  conflicts: { message_template_department_id_name_key: 'message_template_already_exists' },
});

/** Submits a template for approval. It is approved immediately if the caller decides about it. */
export const submitTemplate = operation({
  method: 'POST',
  path: '/api/v1/message-templates/:id/submit',
  permission: messageTemplate.permissions.edit,
  params: idParams,
  reply: oneReply(messageTemplate.row),
  errors: ['not_found', 'invalid_transition'],
});

/**
 * Approves or rejects templates, or withdraws an approval, each by itself: a refused one does not stop the others. A
 * rejected change leaves the text valid that was approved before. A rejection and a withdrawal need a reason, which
 * the owner sees.
 */
export const decideTemplates = operation({
  method: 'POST',
  path: '/api/v1/message-templates/decisions',
  permission: 'sender-ids-decide',
  body: z.object({
    /** Templates with the number of the text that was read. A text that changed since is not decided. */
    templates: z
      .array(z.object({ id, revision: z.int() }))
      .min(1)
      .max(100),
    decision: z.enum(['approve', 'reject', 'withdraw']),
    reason: text(500).default(''),
  }),
  reply: z.object({
    data: z.array(z.object({ id: z.int(), error_code: z.string().nullable(), message: z.string().nullable() })),
  }),
});

/** An entry of a template's history. */
export const templateEvent = z.object({
  created_at: instant,
  from_state: z.enum(TEMPLATE_STATES).nullable(),
  to_state: z.enum([...TEMPLATE_STATES, 'changed', 'withdrawn', 'deleted']),
  /** Text at that time, and the texts by language. */
  template: z.string(),
  language_texts: languageTexts,
  /** Person who caused it; null for a person outside the caller's scope. */
  user_name: z.string().nullable(),
  reason: z.string().nullable(),
});

/** Reads the history of a template: who submitted and decided which text, when and why; the newest first. */
export const getTemplateHistory = operation({
  method: 'GET',
  path: '/api/v1/message-templates/:id/history',
  permission: messageTemplate.permissions.show,
  params: idParams,
  reply: z.object({ data: z.array(templateEvent) }),
  errors: ['not_found'],
});
