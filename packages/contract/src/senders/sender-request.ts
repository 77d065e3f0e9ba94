import { z } from 'zod';
import { id, instant } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';

/** Facts about a request that a person should look at; they refuse nothing. `own`: see `needs_other`. */
export const SENDER_CHECKS = ['same_name', 'protected_name', 'no_documents', 'no_purpose', 'own'] as const;

/** Lists the sender IDs that wait for the caller's decision, the oldest request first, with what speaks for and against. */
export const senderRequests = listing({
  path: '/api/v1/sender-requests',
  permission: 'sender-ids-decide',
  row: z.object({
    /** Id of the sender ID; a decision takes it. */
    id,
    sender_id: z.string(),
    corporation_id: id,
    corporation_name: z.string(),
    purpose: z.string().nullable(),
    is_promotional: z.boolean(),
    requested_at: instant,
    requested_by_name: z.string().nullable(),
    /** Protected name that it is, contains or looks like. */
    protected_name: z.string().nullable(),
    /** True if it is the protected name itself, not only like it. */
    is_protected_name: z.boolean(),
    /** Other corporations in the caller's scope that have the same name, or one that looks like it; at most three. */
    same_at: z.array(z.string()),
    documents: z.int(),
    /** Facts to look at before the decision, the gravest first. */
    checks: z.array(z.enum(SENDER_CHECKS)),
    /** True if the caller made the request and a second person must decide. */
    needs_other: z.boolean(),
  }),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    search: z.string().trim().max(100).optional(),
  }),
  errors: ['malformed_request'],
});

/** Counts the sender IDs that wait for the caller's decision. */
export const countSenderRequests = operation({
  method: 'GET',
  path: '/api/v1/sender-requests/count',
  permission: 'sender-ids-decide',
  reply: z.object({ count: z.int() }),
});
