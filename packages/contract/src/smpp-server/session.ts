import { z } from 'zod';
import { id, instant } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply, idParams } from '../kernel/resource.ts';

const count = z.int().nonnegative();

/** Lists the present binds, newest first. */
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
    /** SMPP version of the bind, such as 3.4. */
    version: z.string(),
    address: z.string(),
    tls: z.boolean(),
    /** Process that holds the bind, as host:process. */
    process: z.string(),
    bound_at: instant,
    /** Number of accepted messages. */
    submitted: count,
    refused: count,
    throttled: count,
    /** Number of receipts and replies that the program acknowledged. */
    delivered: count,
    in_flight: count,
    /** Time since which more waits than fits into its full window; null if the program keeps up. */
    slow_since: instant.nullable(),
    /** True if somebody asked for its end. */
    unbind: z.boolean(),
  }),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    smpp_system_id_id: z.coerce.number().int().optional(),
    search: z.string().trim().max(100).optional(),
  }),
  errors: ['malformed_request'],
});

/** Ends a bind within seconds; its open requests are answered first. The program can bind again. */
export const unbindSession = operation({
  method: 'POST',
  path: '/api/v1/smpp-sessions/:id/unbind',
  permission: 'smpp-sessions-unbind',
  params: idParams,
  reply: doneReply,
  status: 202,
  errors: ['not_found'],
});
