import { z } from 'zod';
import { label } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { idParams, oneReply } from '../kernel/resource.ts';
import { wholeTopUp } from './top-up.ts';

/** Maximum bytes of the proof of a transfer: 5 MB. */
export const PROOF_BYTES = 5 * 1024 * 1024;
/** Kinds of proofs, each with the ends that its file name may have. */
export const PROOF_TYPES = {
  'application/pdf': ['.pdf'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
} as const;
export type ProofType = keyof typeof PROOF_TYPES;

/** Sends the proof of a bank transfer: a PDF, PNG or JPEG of at most 5 MB, as the field `file` of a form. */
export const sendTransferProof = operation({
  method: 'POST',
  path: '/api/v1/top-ups/:id/proof',
  permission: 'top-ups-create',
  params: idParams,
  upload: true,
  reply: oneReply(wholeTopUp),
  status: 201,
  errors: ['not_found', 'payload_too_large', 'invalid_transition'],
});

/** Returns the bytes of a proof as an attachment, never for display in the browser. */
export const getTransferProof = operation({
  method: 'GET',
  path: '/api/v1/top-ups/:id/proof',
  permission: 'top-ups-index',
  params: idParams,
  reply: z.string(),
  errors: ['not_found'],
});

/** Approves a bank transfer. Above a limit of the payment method, the credit is added with a second person's approval. */
export const approveTopUp = operation({
  method: 'POST',
  path: '/api/v1/top-ups/:id/approve',
  permission: 'top-ups-approve',
  params: idParams,
  reply: oneReply(wholeTopUp),
  errors: ['not_found', 'invalid_transition', 'top_up_four_eyes'],
});

export const rejectTopUp = operation({
  method: 'POST',
  path: '/api/v1/top-ups/:id/reject',
  permission: 'top-ups-approve',
  params: idParams,
  body: z.object({ reason: label(200) }),
  reply: oneReply(wholeTopUp),
  errors: ['not_found', 'invalid_transition'],
});
