import { SETTINGS } from '@heliograph/contract/kernel/operator-settings';
import { requireFreshProof } from '#platform/access/fresh-proof';
import type { Context } from '#platform/context';
import { readSettings } from '#platform/operator/settings';

const PROOF_FROM = SETTINGS['proof_from_amount']!.standard;

/**
 * Throws `proof_required` if a movement of money is as large as the operator's setting, or larger, and the caller has
 * given no fresh proof. `amount` is in thousandths of the account's currency, and may be negative.
 */
export async function requireProofOfSum(ctx: Context, amount: number): Promise<void> {
  const from = (await readSettings(ctx.db, ['proof_from_amount'])).get('proof_from_amount') ?? PROOF_FROM;
  if (Math.abs(amount) >= Number(from) * 1000) requireFreshProof(ctx);
}
