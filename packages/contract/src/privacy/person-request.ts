import { z } from 'zod';
import { id, idText, instant, reference, text } from '../kernel/fields.ts';
import { FILE_FORMATS } from '../kernel/file-format.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { personNumber, personText } from '../kernel/personal.ts';
import { idParams, oneReply } from '../kernel/resource.ts';
import { downloadRow } from '../reports/transaction.ts';

/** Kinds of records in which a person's number is looked for, in the order in which they are shown. */
export const PERSON_KINDS = [
  'messages',
  'waiting',
  'inbox',
  'lists',
  'contacts',
  'opt_outs',
  'blacklist',
  'consents',
  'short_links',
  'deliveries',
  'campaigns',
  'tasks',
  'limits',
  'log',
  'lookups',
  'tests',
  'files',
] as const;
export type PersonKind = (typeof PERSON_KINDS)[number];

/** Records of one kind. */
const kindCount = z.object({
  kind: z.enum(PERSON_KINDS),
  count: z.int(),
});

const personRequest = z.object({
  id,
  /** Corporation whose records are searched; a reseller's search includes its customers. Null for the whole platform. */
  corporation_id: reference('corporations').nullable(),
  corporation_name: z.string().nullable(),
  /** `asked`: an erasure waits until another person confirms it. */
  state: z.enum(['searching', 'found', 'asked', 'erasing', 'erased']),
  /** Number of the person, until their records are erased. */
  number: personNumber(z.string()).nullable(),
  /** Records that were found, of the kinds that have any; null while the search runs. */
  found: z.array(kindCount).nullable(),
  user_name: z.string().nullable(),
  created_at: instant,
  /** Keyed hash of the number. */
  digest: z.string(),
  reason: personText(z.string()).nullable(),
  /** Person who asked for the erasure. */
  erased_by_name: z.string().nullable(),
  asked_at: instant.nullable(),
  /** True if another person than the caller must confirm the erasure. */
  needs_other: z.boolean(),
  confirmed_by_name: z.string().nullable(),
  confirmed_at: instant.nullable(),
  /** Records that were erased so far. */
  erased: z.array(kindCount),
  erased_at: instant.nullable(),
});

/** Lists the searches for people, the newest first. */
export const personRequests = listing({
  path: '/api/v1/privacy',
  permission: 'privacy-index',
  row: personRequest,
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    state: personRequest.shape.state.optional(),
  }),
});

export const getPersonRequest = operation({
  method: 'GET',
  path: '/api/v1/privacy/:id',
  permission: 'privacy-index',
  params: idParams,
  reply: oneReply(personRequest),
  errors: ['not_found'],
});

/** Searches everything that is kept of a person; the search is recorded, and a worker does it. */
export const findPerson = operation({
  method: 'POST',
  path: '/api/v1/privacy',
  permission: 'privacy-create',
  body: z.object({
    /** Number of the person, in any spelling. */
    number: z.string().trim().min(1).max(60),
    /** Corporation to search; empty for all that the caller sees. */
    corporation_id: reference('corporations').nullable().default(null),
  }),
  reply: oneReply(personRequest),
  status: 201,
});

/** Writes everything that is kept of a person to a file. */
export const exportPerson = operation({
  method: 'POST',
  path: '/api/v1/privacy/:id/export',
  permission: 'privacy-download',
  params: z.object({ id: idText }),
  body: z.object({ format: z.enum(FILE_FORMATS).default('xlsx') }),
  reply: oneReply(downloadRow),
  status: 202,
  errors: ['not_found', 'invalid_transition', 'numbers_hidden'],
});

/**
 * Erases everything that is kept of a person. Sums, states and charges stay, and so do opt-outs and blocks, as a keyed
 * hash. Refused while messages to the person wait or are on their way. Unless the platform asks one person only, the
 * erasure waits until another one confirms it.
 */
export const erasePerson = operation({
  method: 'POST',
  path: '/api/v1/privacy/:id/erase',
  permission: 'privacy-erase',
  proof: 'always',
  params: idParams,
  body: z.object({ reason: text(300).min(3) }),
  reply: oneReply(personRequest),
  errors: ['not_found', 'invalid_transition'],
});

/** Confirms an erasure that another person asked for, and begins it. */
export const confirmErasure = operation({
  method: 'POST',
  path: '/api/v1/privacy/:id/confirm-erasure',
  permission: 'privacy-erase',
  proof: 'always',
  params: idParams,
  reply: oneReply(personRequest),
  errors: ['not_found', 'invalid_transition', 'erasure_four_eyes'],
});

/** Withdraws or refuses an erasure that waits to be confirmed. */
export const withdrawErasure = operation({
  method: 'POST',
  path: '/api/v1/privacy/:id/withdraw-erasure',
  permission: 'privacy-erase',
  params: idParams,
  reply: oneReply(personRequest),
  errors: ['not_found', 'invalid_transition'],
});

/** Certificate of an erasure as a PDF: what was erased, when, for what reason and by which people, without the number. */
export const erasureCertificate = operation({
  method: 'GET',
  path: '/api/v1/privacy/:id/certificate',
  permission: 'privacy-index',
  params: idParams,
  reply: z.string(),
  errors: ['not_found'],
});
