import { toThousandths } from '@heliograph/contract/kernel/money';
import type { Account } from './account-state.tsx';

/** Which of its limits an account's balance has passed; undefined for none. */
export function limitPassed(
  account: Pick<Account, 'credit_balance' | 'low_balance_limit' | 'cost_warning_limit'>,
): 'owes_much' | 'low' | undefined {
  const balance = toThousandths(account.credit_balance);
  const { cost_warning_limit, low_balance_limit } = account;
  if (cost_warning_limit !== null && balance < -toThousandths(cost_warning_limit)) return 'owes_much';
  return low_balance_limit !== null && balance < toThousandths(low_balance_limit) ? 'low' : undefined;
}
