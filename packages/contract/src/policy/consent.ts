import { z } from 'zod';
import { bulkUploadOf } from '../kernel/bulk-upload.ts';
import { idText, instant, reference, text } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { personNumber, personText } from '../kernel/personal.ts';
import { resource } from '../kernel/resource.ts';

/** Kinds of events: the person opted in, was asked and has not answered yet, or opted out. */
export const CONSENT_KINDS = ['opt_in', 'asked', 'opt_out'] as const;
export const CONSENT_SOURCES = ['form', 'keyword', 'import', 'api', 'person'] as const;

const input = z.object({
  corporation_id: reference('corporations'),
  number: z.string().trim().min(1).max(40),
  /** Sender ID that the consent is for; null for all of the corporation. */
  sender_id_id: reference('sender-ids').nullable(),
  /** `asked` becomes `opt_in` if the phone replies YES within 30 days. An opt-out has its own list. */
  kind: z.enum(['opt_in', 'asked']),
  /** Source of the consent: a form, or a note by somebody. */
  source: z.enum(['form', 'person']),
  /** Wording that the person agreed to. */
  wording: text(1000).nullable(),
  /** Evidence, such as the address and time of a form. */
  proof: text(1000).nullable(),
  /** Remark of colleagues, the only field that can be changed. */
  note: text(300).nullable(),
});

/** Header of a file of people who opted in. */
export const CONSENT_COLUMNS = ['number', 'opted_in_at', 'proof'] as const;

/** Events of consent. An event is never changed; only one that somebody entered by hand can be retracted. */
export const consent = resource({
  name: 'consents',
  row: input.extend({
    number: personNumber(z.string()),
    wording: personText(input.shape.wording),
    proof: personText(input.shape.proof),
    note: personText(input.shape.note),
    kind: z.enum(CONSENT_KINDS),
    source: z.enum(CONSENT_SOURCES),
    corporation_name: z.string(),
    sender_id_name: z.string().nullable(),
    user_id: reference('users').nullable(),
    user_name: z.string().nullable(),
    happened_at: instant,
  }),
  create: input.extend({
    sender_id_id: input.shape.sender_id_id.default(null),
    kind: input.shape.kind.default('opt_in'),
    source: input.shape.source.default('form'),
    wording: input.shape.wording.default(null),
    proof: input.shape.proof.default(null),
    note: input.shape.note.default(null),
  }),
  update: input.pick({ note: true }).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    kind: z.enum(CONSENT_KINDS).optional(),
    source: z.enum(CONSENT_SOURCES).optional(),
    number: z.string().max(40).optional(),
  }),
  sort: ['number', 'happened_at', 'created_at'],
  title: 'number',
  conflicts: { consent_event_key: 'consent_already_recorded' },
  errors: ['consent_kept'],
});

/** Header of the file of one person's history, in which every time is in UTC. */
export const HISTORY_COLUMNS = [
  'happened_at',
  'kind',
  'source',
  'number',
  'corporation_name',
  'sender_id_name',
  'wording',
  'proof',
  'user_name',
  'created_at',
  'retracted_at',
] as const;

/**
 * Returns the whole history of the person of an event as a CSV: opt-ins, questions and opt-outs of the same corporation,
 * the oldest first, also those that were retracted.
 */
export const consentHistory = operation({
  method: 'GET',
  path: '/api/v1/consents/:id/history',
  permission: 'consents-index',
  params: z.object({ id: idText }),
  reply: z.string(),
  errors: ['not_found'],
});

/** Stores every number of a file as opted in, with a statement of how these people agreed. */
export const uploadConsents = bulkUploadOf(
  'consents',
  'consents-upload',
  z.object({
    corporation_id: idText /** How these people agreed; stored as the proof of each. */,
    statement: z.string().trim().min(10).max(500),
  }),
);
