import { PROOF_MINUTES } from '@heliograph/contract/kernel/operation';
import type { Clock } from '../clock.ts';
import type { Caller } from '../context.ts';
import { BusinessError } from '../errors.ts';

/** Time until which a proof given at `provedAt` counts. */
export const proofEnd = (provedAt: Date): Date => new Date(provedAt.getTime() + PROOF_MINUTES * 60_000);

/**
 * Throws `proof_required` unless the caller has proved in this session, within the last minutes, that it is them. A
 * complete sign-in is such a proof.
 */
export function requireFreshProof({ caller, clock }: { caller: Pick<Caller, 'proved_at'>; clock: Clock }): void {
  const { proved_at } = caller;
  if (proved_at === null || proofEnd(new Date(proved_at)) <= clock.now())
    throw new BusinessError('proof_required', { params: { minutes: PROOF_MINUTES } });
}
