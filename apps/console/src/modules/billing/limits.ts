import { toThousandths } from '@heliograph/contract/kernel/money';
import type { Account } from './account-state.tsx';

/**
 * Returns the limit that an account's balance has passed; undefined for none. A reserved amount counts as available
 * until it is charged. The alarms of the server use the same rule.
 */
export function limitPassed(
  account: Pick<Account, 'credit_balance' | 'reserved' | 'low_balance_limit' | 'cost_warning_limit'>,
): 'owes_much' | 'low' | undefined {
  const balance = toThousandths(account.credit_balance) + toThousandths(account.reserved);
  const { cost_warning_limit, low_balance_limit } = account;
  if (cost_warning_limit !== null && balance < -toThousandths(cost_warning_limit)) return 'owes_much';
  return low_balance_limit !== null && balance < toThousandths(low_balance_limit) ? 'low' : undefined;
}
