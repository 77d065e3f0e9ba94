import type { ListInvoicesReply, ListTopUpsReply } from './types.ts';

type Invoice = ListInvoicesReply['data'][number];
type TopUp = ListTopUpsReply['data'][number];

/** Filter of conversations: their state, and the number of a phone. */
export type ConversationFilter = { state?: 'open' | 'closed'; number?: string };

/** Filter of contacts: a number in international form, or a tag. */
export type ContactFilter = { number?: string; tag?: string };

/** Filter of invoices: kind, state, and the first and last day of issue, such as `2026-11-30`. */
export type InvoiceFilter = { kind?: Invoice['kind']; status?: Invoice['status']; from?: string; to?: string };

/** Filter of top-ups: state, account, and the first and last day on which they began. */
export type TopUpFilter = { state?: TopUp['state']; billing_account_id?: string; from?: string; to?: string };

/** Filter of a search for messages. */
export type MessageFilter = { client_ref: string } | { batch_id: string };
