import { z } from 'zod';
import { id, instant } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply, idParams } from '../kernel/resource.ts';

/** What a process of the platform does. */
export const nodeKind = z.enum(['api', 'sender', 'worker', 'smpp_server']);
export const nodeState = z.enum(['live', 'draining', 'stopping', 'silent']);

/** The processes there are, and for ten minutes those that died, the newest first. */
export const nodes = listing({
  path: '/api/v1/nodes',
  permission: 'nodes-index',
  row: z.object({
    id,
    /** Of one run of one process, as host:process:run. */
    name: z.string(),
    kind: nodeKind,
    host: z.string(),
    pid: z.int(),
    version: z.string(),
    started_at: instant,
    seen_at: instant,
    state: nodeState,
    /** Somebody asked it to hand over what it holds and to take nothing. */
    draining: z.boolean(),
    /** Names of the links whose lanes it holds. */
    links: z.array(z.string()),
    /** Binds of customers' programs. */
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

/** Asks a sender or an SMPP server to hand over what it holds and to take nothing, until it is resumed. */
export const drainNode = operation({ ...ask, path: '/api/v1/nodes/:id/drain' });

/** Lets a process work again. */
export const resumeNode = operation({ ...ask, path: '/api/v1/nodes/:id/resume' });
