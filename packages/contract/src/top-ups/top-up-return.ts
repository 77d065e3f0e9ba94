import { z } from 'zod';
import { idText, label, money } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { wholeTopUp } from './top-up.ts';

const params = z.object({ id: idText });
const reason = label(200);

/**
 * Requests a chargeback or refund that no provider reports: both for bank transfers, chargebacks for Maya. Nothing moves
 * before another person approves it.
 */
export const requestReturn = operation({
  method: 'POST',
  path: '/api/v1/top-ups/:id/returns',
  permission: 'top-ups-refund',
  params,
  body: z.object({ kind: z.enum(['refund', 'chargeback']), amount: money({ digits: 8, decimals: 2 }), reason }),
  reply: oneReply(wholeTopUp),
  errors: ['not_found', 'top_up_not_refundable'],
  status: 201,
});

/** Approves a requested return of another person: the account loses the same part of its credit, once. Large sums need a fresh proof. */
export const approveReturn = operation({
  method: 'POST',
  path: '/api/v1/top-up-returns/:id/approve',
  permission: 'top-ups-refund',
  proof: 'sometimes',
  params,
  reply: oneReply(wholeTopUp),
  errors: ['not_found', 'invalid_transition', 'top_up_return_four_eyes'],
});

/** Rejects a requested return, or withdraws one's own. */
export const rejectReturn = operation({
  method: 'POST',
  path: '/api/v1/top-up-returns/:id/reject',
  permission: 'top-ups-refund',
  params,
  body: z.object({ reason }),
  reply: oneReply(wholeTopUp),
  errors: ['not_found', 'invalid_transition'],
});

/** Reverses an approved return, with the reason: the money came back, or it was a mistake. The account gets its credit again. */
export const reverseReturn = operation({
  method: 'POST',
  path: '/api/v1/top-up-returns/:id/reverse',
  permission: 'top-ups-refund',
  proof: 'sometimes',
  params,
  body: z.object({ reason }),
  reply: oneReply(wholeTopUp),
  errors: ['not_found', 'invalid_transition'],
});
