import { z } from 'zod';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';

/** Rights that an agent may be given: to read, or to send and change as well (RFC 6749 clause 3.3). */
export const AGENT_SCOPES = ['read', 'write'] as const;
/** Days after which the key of an agent ends. */
export const AGENT_KEY_DAYS = 90;

const asked = z.object({
  client_id: z.string().min(1).max(4_000),
  redirect_uri: z.string().min(1).max(2_000),
});

/** Program that asks to be connected, as it has registered itself. Its name proves nothing; where it is sent back does. */
export const agentClient = operation({
  method: 'GET',
  path: '/api/v1/agent-connections/client',
  permission: 'api-keys-create',
  query: asked,
  reply: oneReply(z.object({ name: z.string(), host: z.string(), is_local: z.boolean() })),
  errors: ['agent_client_unknown'],
});

/** Connects a program: it gets a code that it exchanges for a key of the person's own. */
export const connectAgent = operation({
  method: 'POST',
  path: '/api/v1/agent-connections',
  permission: 'api-keys-create',
  proof: 'always',
  body: asked.extend({
    /** Challenge of the program by S256 (RFC 7636). */
    code_challenge: z.string().regex(/^[\w-]{43}$/, { error: 'code_challenge' }),
    state: z.string().max(2_000).nullable().default(null),
    scope: z.enum(AGENT_SCOPES),
    mode: z.enum(['live', 'test']),
  }),
  reply: oneReply(z.object({ redirect: z.string() })),
  errors: ['agent_client_unknown', 'api_key_outside'],
});
