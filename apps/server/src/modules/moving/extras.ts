import { payBillingAccount } from '@heliograph/contract/billing/billing-account';
import { uploadBlacklistNumbers } from '@heliograph/contract/contacts/blacklist-number';
import { getImport, importNumbers } from '@heliograph/contract/contacts/number-list';
import { uploadOptOuts } from '@heliograph/contract/contacts/opt-out';
import { getBulkUpload } from '@heliograph/contract/kernel/bulk-upload';
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
  /** Does it through the console's calls; `bytes` are those of its file, which a worker then reads. */
  apply(calls: Calls, values: ExtraValues, file?: { name: string; bytes: Buffer }): Promise<Upload | undefined>;
}

/** File that a worker reads: its id, and whether it is an import into a list. */
export interface Upload {
  id: number;
  list: boolean;
}

/** Reads how far a worker is with a file. */
export async function lookAt(calls: Calls, { id, list }: Upload) {
  const params = { id };
  const { data } = list ? await calls.call(getImport, { params }) : await calls.call(getBulkUpload, { params });
  return data;
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
      const query = { corporation_id: values['corporation_id'] as number };
      const { data } = await calls.call(uploadOptOuts, { query, file: file! });
      return { id: data.id, list: false };
    },
  },
  {
    section: 'blacklist-files',
    loads: 'blacklist-numbers',
    fields: z.object({ ...corporation, file: path }),
    title: ({ file }) => `blocked numbers from ${file}`,
    async apply(calls, values, file) {
      const query = { corporation_id: values['corporation_id'] as number };
      const { data } = await calls.call(uploadBlacklistNumbers, { query, file: file! });
      return { id: data.id, list: false };
    },
  },
  {
    section: 'number-files',
    loads: 'number_list',
    fields: z.object({ ...corporation, number_list_id: reference('number-lists'), file: path }),
    title: ({ file }) => `numbers from ${file}`,
    async apply(calls, values, file) {
      const params = { id: values['number_list_id'] as number };
      const { data } = await calls.call(importNumbers, { params, file: file! });
      return { id: data.id, list: true };
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
