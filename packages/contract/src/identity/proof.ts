import { z } from 'zod';
import { instant } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply } from '../kernel/resource.ts';
import { passkeyHost, passkeyProof } from './passkey.ts';
import { secondFactor } from './password.ts';

/** Ways to prove that the person is present, strongest first. The person proves with the first one that they have. */
const PROOF_WAYS = ['passkey', 'totp', 'otp', 'password'] as const;
export type ProofWay = (typeof PROOF_WAYS)[number];

/**
 * Begins the proof of a caller's identity. Returns the strongest way that the caller has. A sign-in code is sent if that
 * is the way.
 */
export const beginProof = operation({
  method: 'POST',
  path: '/api/v1/proof/begin',
  session: 'entering',
  permission: null,
  body: z.object({ host: passkeyHost }),
  reply: z.object({
    way: z.enum(PROOF_WAYS),
    /** Options for the browser; null if none of the caller's passkeys works on this host. */
    options: z.looseObject({ challenge: z.string() }).nullable(),
  }),
});

/**
 * Proves the caller's identity for this session. A passkey may be replaced by a code of the authenticator app or a
 * recovery code. The password counts only for people who have nothing stronger.
 */
export const prove = operation({
  method: 'POST',
  path: '/api/v1/proof',
  session: 'entering',
  permission: null,
  body: z.union([
    z.strictObject({ host: passkeyHost, credential: passkeyProof }),
    z.strictObject({ code: secondFactor }),
    z.strictObject({ password: z.string().min(1).max(200) }),
  ]),
  reply: doneReply.extend({ proved_until: instant }),
  errors: ['passkey_refused', 'passkey_host', 'otp_invalid', 'otp_expired', 'otp_too_many_tries', 'proof_too_weak'],
});
