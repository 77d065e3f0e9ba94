import { payBillingAccount } from '@heliograph/contract/billing/billing-account';
import { uploadBlacklistNumbers } from '@heliograph/contract/contacts/blacklist-number';
import { importNumbers } from '@heliograph/contract/contacts/number-list';
import { uploadOptOuts } from '@heliograph/contract/contacts/opt-out';
import { label, money, reference } from '@heliograph/contract/kernel/fields';
import { z } from 'zod';
import type { Calls } from './calls.ts';

/** Values of an entry: ids by the names of references, and the others as they are written. */
export type ExtraValues = Readonly<Record<string, unknown>>;

/** Section whose entries are no records: files to load, and payments. */
export interface Extra {
  section: string;
  fields: z.ZodObject;
  /** Kind of the task that reads its file. */
  loads?: string;
  /** Returns what the plan shows of an entry. */
  title(values: ExtraValues): string;
  /** Does it through the console's calls; `bytes` are those of its file. */
  apply(calls: Calls, values: ExtraValues, file?: { name: string; bytes: Buffer }): Promise<void>;
}

const path = z.string().min(1).max(4_000);
const corporation = { corporation_id: reference('corporations') };

/** Sections whose entries are no records, in the order in which they are applied: opt-outs come before numbers. */
export const EXTRAS: readonly Extra[] = [
  {
    section: 'opt-out-files',
    loads: 'opt-outs',
    fields: z.object({ ...corporation, file: path }),
    title: ({ file }) => `opt-outs from ${file}`,
    async apply(calls, values, file) {
      await calls.call(uploadOptOuts, { query: { corporation_id: values['corporation_id'] as number }, file: file! });
    },
  },
  {
    section: 'blacklist-files',
    loads: 'blacklist-numbers',
    fields: z.object({ ...corporation, file: path }),
    title: ({ file }) => `blocked numbers from ${file}`,
    async apply(calls, values, file) {
      const query = { corporation_id: values['corporation_id'] as number };
      await calls.call(uploadBlacklistNumbers, { query, file: file! });
    },
  },
  {
    section: 'number-files',
    loads: 'number_list',
    fields: z.object({ ...corporation, number_list_id: reference('number-lists'), file: path }),
    title: ({ file }) => `numbers from ${file}`,
    async apply(calls, values, file) {
      await calls.call(importNumbers, { params: { id: values['number_list_id'] as number }, file: file! });
    },
  },
  {
    section: 'payments',
    fields: z.object({
      ...corporation,
      billing_account_id: reference('billing-accounts'),
      amount: money({ digits: 10, decimals: 2 }),
      /** Text that makes the payment count once, however often the file is applied. */
      reference: label(100),
      note: label(200).optional(),
    }),
    title: ({ amount, reference: by }) => `payment of ${amount} (${by})`,
    async apply(calls, { billing_account_id, amount, reference: by, note }) {
      await calls.call(payBillingAccount, {
        params: { id: billing_account_id as number },
        body: {
          amount: amount as string,
          reference: by as string,
          ...(note !== undefined && { note: note as string }),
        },
      });
    },
  },
];
