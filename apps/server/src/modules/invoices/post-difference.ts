import type { Locale } from '@heliograph/contract/kernel/scope';
import { correct } from '#modules/billing';
import { translate } from '#platform/text/i18n';
import type { Db } from './db.ts';

/** Document that changes what its account owes. */
interface Posted {
  id: number;
  number: string;
  corporation_id: number;
  billing_account_id: number;
  language: string;
  kind: string;
}

/** Key of the ledger's entry of a document. The sums of a month leave these entries out. */
export const POSTED = 'invoice:';

/**
 * Posts an amount of a document to its account, once: below zero the account owes more. It is an entry of the open month,
 * without regard to limits, because it is owed.
 */
export async function postDifference(db: Db, document: Posted, amount: number): Promise<void> {
  if (amount === 0) return;
  const { id, number, corporation_id, billing_account_id, language, kind } = document;
  const key = kind === 'credit_note' ? 'invoicing.posted_credit' : 'invoicing.posted';
  const note = translate(language as Locale, key, { number });
  await correct(db, { key: `${POSTED}${id}`, billing_account_id, corporation_id, amount, note });
}
