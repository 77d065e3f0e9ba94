import { z } from 'zod';
import { id, instant } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply, idParams } from '../kernel/resource.ts';

/** Kind of a process of the platform. */
export const nodeKind = z.enum(['api', 'sender', 'worker', 'smpp_server']);
export const nodeState = z.enum(['live', 'draining', 'stopping', 'silent']);

/** Lists the processes, newest first. Dead ones stay listed for ten minutes. */
export const nodes = listing({
  path: '/api/v1/nodes',
  permission: 'nodes-index',
  row: z.object({
    id,
    /** Name of one run of one process, as host:process:run. */
    name: z.string(),
    kind: nodeKind,
    host: z.string(),
    pid: z.int(),
    version: z.string(),
    started_at: instant,
    seen_at: instant,
    state: nodeState,
    /** True if somebody asked it to hand over its work and take none. */
    draining: z.boolean(),
    /** Names of the links with lanes that it holds. */
    links: z.array(z.string()),
    /** Number of binds of customers' programs. */
    binds: z.int().nonnegative(),
  }),
  filters: z.object({ kind: nodeKind.optional() }),
  errors: ['malformed_request'],
});

const ask = {
  method: 'POST',
  permission: 'nodes-drain',
  params: idParams,
  reply: doneReply,
  status: 202,
  errors: ['not_found'],
} as const;

/** Asks a sender or an SMPP server to hand over its work and take none, until it is resumed. */
export const drainNode = operation({ ...ask, path: '/api/v1/nodes/:id/drain' });

/** Lets a drained process work again. */
export const resumeNode = operation({ ...ask, path: '/api/v1/nodes/:id/resume' });
