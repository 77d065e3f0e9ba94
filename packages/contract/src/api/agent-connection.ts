import { z } from 'zod';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';

/** Rights that an agent may be given: to read, or to send and change as well (RFC 6749 clause 3.3). */
export const AGENT_SCOPES = ['read', 'write'] as const;
/** Days after which the key of an agent ends. */
export const AGENT_KEY_DAYS = 90;
/** Screen on which a person decides. */
export const CONNECT_SCREEN = '/connect-agent';

const text = (most: number) => z.string().max(most).nullable().default(null);
const asked = z.object({
  client_id: z.string().min(1).max(4_000),
  redirect_uri: z.string().min(1).max(2_000),
  state: text(2_000),
  /** Address of what the program wants to use (RFC 8707). */
  resource: text(2_000),
});

/**
 * Program that asks to be connected, as it has registered itself. Its name proves nothing; where it is sent back does.
 * Anybody who has signed in may ask: the answer says only what the program itself has said.
 */
export const agentClient = operation({
  method: 'GET',
  path: '/api/v1/agent-connections/client',
  permission: null,
  query: asked.extend({
    response_type: text(100),
    code_challenge: text(200),
    code_challenge_method: text(20),
  }),
  reply: oneReply(
    z.object({
      name: z.string(),
      /** Address of the program's own description of itself, which vouches for its name; null without one. */
      known_by: z.string().nullable(),
      /** Host, or scheme of an app, that the person is sent back to. */
      host: z.string(),
      place: z.enum(['web', 'computer', 'app']),
      /** Fault of the request, as OAuth names it; null for none. */
      fault: z.string().nullable(),
      /** Address of a refusal: back to the program, with the error. */
      refusal: z.string(),
    }),
  ),
  errors: ['agent_client_unknown', 'agent_client_unreachable'],
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
    scope: z.enum(AGENT_SCOPES),
    mode: z.enum(['live', 'test']),
  }),
  reply: oneReply(z.object({ redirect: z.string() })),
  errors: ['agent_client_unknown', 'agent_client_unreachable', 'agent_request_wrong', 'api_key_outside'],
});
