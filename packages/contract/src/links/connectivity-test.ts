import { z } from 'zod';
import { operation } from '../kernel/operation.ts';

export const CONNECTIVITY_CHECKS = ['tcp', 'http', 'smpp'] as const;
const CONNECTIVITY_STEPS = ['resolve', 'connect', 'tls', 'http', 'bind'] as const;

/**
 * Tests whether this server can reach a host, a web address or a carrier. Returns only results and times, no content.
 */
export const testConnectivity = operation({
  method: 'POST',
  path: '/api/v1/connectivity-test',
  permission: 'connectivity-test-index',
  body: z.object({
    /** Host name, IP address, or URL with http or https. */
    target: z.string().trim().min(1).max(2000),
    check: z.enum(CONNECTIVITY_CHECKS),
    /** Port; required unless the target is a URL. */
    port: z.int().min(1).max(65_535).nullable().default(null),
    tls: z.boolean().default(false),
    system_id: z.string().trim().max(15).default(''),
    password: z.string().max(64).default(''),
  }),
  reply: z.object({
    data: z.object({
      accessible: z.boolean(),
      steps: z.array(
        z.object({
          step: z.enum(CONNECTIVITY_STEPS),
          outcome: z.enum(['done', 'failed', 'skipped']),
          milliseconds: z.int(),
          /** Reason of a failure: a key of `connectivity.faults`, or an error name of the network. */
          code: z.string().nullable(),
          detail: z.string(),
        }),
      ),
    }),
  }),
});
