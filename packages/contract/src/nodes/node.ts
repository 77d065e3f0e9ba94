import { z } from 'zod';
import { instant } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply } from '../kernel/resource.ts';

/** What a process of the platform does. */
export const nodeKind = z.enum(['api', 'sender', 'worker', 'smpp_server']);

/** The processes there are, and for ten minutes those that died. */
export const nodes = operation({
  method: 'GET',
  path: '/api/v1/nodes',
  permission: 'nodes-index',
  reply: z.object({
    data: z.array(
      z.object({
        /** Of one run of one process, as host:process:run. */
        id: z.string(),
        kind: nodeKind,
        host: z.string(),
        pid: z.int(),
        version: z.string(),
        started_at: instant,
        seen_at: instant,
        state: z.enum(['live', 'draining', 'stopping', 'silent']),
        /** Somebody asked it to hand over what it holds and to take nothing. */
        draining: z.boolean(),
        /** Names of the links whose lanes it holds. */
        links: z.array(z.string()),
        /** Binds of customers' programs. */
        binds: z.int().nonnegative(),
      }),
    ),
  }),
});

const drainCall = {
  method: 'POST',
  permission: 'nodes-drain',
  params: z.object({ id: z.string().max(300) }),
  reply: doneReply,
  status: 202,
  errors: ['not_found'],
} as const;

/** Asks a process to hand over what it holds and to take nothing, until it is resumed. */
export const drainNode = operation({ ...drainCall, path: '/api/v1/nodes/:id/drain' });

/** Lets a process work again. */
export const resumeNode = operation({ ...drainCall, path: '/api/v1/nodes/:id/resume' });
