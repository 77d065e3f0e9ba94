import { toThousandths } from '@heliograph/contract/kernel/money';
import type { Account } from './account-state.tsx';

/**
 * Returns the limit that an account has passed; undefined for none. The low balance is that of the amount that can
 * still be spent: the credit after reserves, and the credit limit. A debt counts without reserves, most of which may come
 * back. The alarms of the server use the same rules.
 */
export function limitPassed(
  account: Pick<Account, 'credit_balance' | 'credit_limit' | 'reserved' | 'low_balance_limit' | 'cost_warning_limit'>,
): 'owes_much' | 'low' | undefined {
  const balance = toThousandths(account.credit_balance);
  const available = balance + toThousandths(account.credit_limit);
  const { cost_warning_limit, low_balance_limit } = account;
  if (cost_warning_limit !== null && balance + toThousandths(account.reserved) < -toThousandths(cost_warning_limit))
    return 'owes_much';
  return low_balance_limit !== null && available < toThousandths(low_balance_limit) ? 'low' : undefined;
}
