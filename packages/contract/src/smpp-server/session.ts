import { z } from 'zod';
import { id, instant } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply, idParams } from '../kernel/resource.ts';

const count = z.int().nonnegative();

/** The binds there are now, the newest first. */
export const smppSessions = listing({
  path: '/api/v1/smpp-sessions',
  permission: 'smpp-sessions-index',
  row: z.object({
    id,
    corporation_id: id,
    corporation_name: z.string(),
    user_name: z.string().nullable(),
    smpp_system_id_id: id,
    system_id: z.string(),
    mode: z.enum(['transmitter', 'receiver', 'transceiver']),
    /** The SMPP version the program bound with, such as 3.4. */
    version: z.string(),
    address: z.string(),
    tls: z.boolean(),
    /** The process that holds it, as host:process. */
    process: z.string(),
    bound_at: instant,
    /** Messages taken. */
    submitted: count,
    refused: count,
    throttled: count,
    /** Receipts and replies that were acknowledged. */
    delivered: count,
    in_flight: count,
    /** Since when more waits than its full window takes; null where it keeps up. */
    slow_since: instant.nullable(),
    /** Its end was asked for. */
    unbind: z.boolean(),
  }),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    smpp_system_id_id: z.coerce.number().int().optional(),
    search: z.string().trim().max(100).optional(),
  }),
  errors: ['malformed_request'],
});

/** Ends a bind within seconds: what it is owed is answered first. Its program may bind again. */
export const unbindSession = operation({
  method: 'POST',
  path: '/api/v1/smpp-sessions/:id/unbind',
  permission: 'smpp-sessions-unbind',
  params: idParams,
  reply: doneReply,
  status: 202,
  errors: ['not_found'],
});
