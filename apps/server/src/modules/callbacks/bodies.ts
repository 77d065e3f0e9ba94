import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { Event } from '#modules/events';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { journeySteps } from './journey-steps.ts';
import { verificationEnds } from './verification-ends.ts';

// Bodies of callbacks. Names are those of the HTTP API. Ids are texts, because not every language holds 2^53.

interface MessageRow {
  id: number;
  recipient: string;
  sender: string;
  parts: number;
  price: number;
  currency: string;
  campaign_id: number | null;
  created_at: string;
  client_ref: string | null;
  tags: unknown;
  batch_id: number | null;
  callback_url: string | null;
  callback_form: string | null;
}

const MESSAGES = `
  SELECT m.id, m.msisdn AS recipient, k.sender_id AS sender, m.parts, m.parts * m.unit_price AS price, c.currency,
    m.campaign_id, k.created_at, p.client_ref, p.tags, p.batch_id, p.callback_url, p.callback_form
  FROM unnest($1::bigint[]) AS w(id) JOIN message m ON m.id = w.id JOIN chunk k ON k.id = w.id >> 10
  JOIN corporation c ON c.id = k.corporation_id LEFT JOIN program_message p ON p.message_id = w.id`;

const INBOX = `
  SELECT id, oa, number, placed_text(message, corporation_id, 'i' || inbound_id) AS message, keyword, is_binary, parameters, received_at FROM inbox_message WHERE id = ANY ($1::bigint[])`;

const CAMPAIGNS = `
  SELECT c.id, c.name, c.total_count, n.submitted, n.delivered, n.failed, n.expired, n.blocked, n.cancelled, n.charged,
    o.currency
  FROM campaign c JOIN corporation o ON o.id = c.corporation_id LEFT JOIN campaign_figure n ON n.campaign_id = c.id
  WHERE c.id = ANY ($1::bigint[])`;

const CLICKS = `
  SELECT s.code, t.place AS link, t.url, CASE WHEN o.names_clicks AND s.msisdn ~ '^[0-9]' THEN s.msisdn END AS recipient,
    c.name AS campaign, k.first_at AS clicked_at
  FROM short_link s JOIN corporation o ON o.id = s.corporation_id LEFT JOIN short_link_target t ON t.id = s.target_id
  LEFT JOIN campaign c ON c.id = s.campaign_id LEFT JOIN short_link_click k ON k.code = s.code
  WHERE s.code = ANY ($1::text[])`;

const ACCOUNTS = `
  SELECT b.id, b.name, o.currency FROM billing_account b JOIN corporation o ON o.id = b.corporation_id
  WHERE b.id = ANY ($1::bigint[])`;

const TOP_UPS = `
  SELECT id, billing_account_id, amount, total, currency, method_name, reference, client_reference, paid_at FROM top_up
  WHERE id = ANY ($1::bigint[])`;

const INVOICES = `
  SELECT id, kind, number, issue_date::text, due_date::text, payable, currency, billing_account_id, credited_invoice_id FROM invoice
  WHERE id = ANY ($1::bigint[])`;

interface InvoiceRow {
  id: number;
  kind: string;
  number: string;
  issue_date: string;
  due_date: string | null;
  payable: number;
  currency: string;
  billing_account_id: number | null;
  credited_invoice_id: number | null;
}

interface TopUpRow {
  id: number;
  billing_account_id: number;
  amount: number;
  total: number;
  currency: string;
  method_name: string;
  reference: string;
  client_reference: string | null;
  paid_at: string | null;
}

interface AccountRow {
  id: number;
  name: string;
  currency: string;
}

interface CampaignRow {
  id: number;
  name: string;
  total_count: number;
  submitted: number | null;
  delivered: number | null;
  failed: number | null;
  expired: number | null;
  blocked: number | null;
  cancelled: number | null;
  charged: number | null;
  currency: string;
}

interface ClickRow {
  code: string;
  link: number | null;
  url: string | null;
  recipient: string | null;
  campaign: string | null;
  clicked_at: string | null;
}

interface InboxRow {
  id: number;
  oa: string;
  number: string;
  message: string;
  keyword: string | null;
  is_binary: boolean;
  parameters: Record<string, string> | null;
  received_at: string;
}

/** Data of an event's record at the moment when the callback is made. */
export interface Told {
  data: Record<string, unknown>;
  /** Callback address that the message names itself; null if it names none. */
  callback_url: string | null;
  /** Form of the call to that address; null for a signed callback. */
  callback_form: string | null;
}

async function byId<Row extends { id: number }>(
  db: Queryable,
  text: string,
  ids: readonly unknown[],
): Promise<Map<number, Row>> {
  const wanted = ids.filter((id) => typeof id === 'number');
  if (wanted.length === 0) return new Map();
  return new Map((await rowsOf<Row>(db, text, [wanted])).map((row) => [row.id, row]));
}

/** Reads the clicks of events by their codes. */
async function clicksOf(db: Queryable, codes: readonly unknown[]): Promise<Map<string, ClickRow>> {
  const wanted = codes.filter((code) => typeof code === 'string');
  if (wanted.length === 0) return new Map();
  return new Map((await rowsOf<ClickRow>(db, CLICKS, [wanted])).map((row) => [row.code, row]));
}

const textOf = (id: number | null) => (id === null ? null : String(id));

/** Returns the data of each event, by its id. If the record is gone, only the data that the event holds is returned. */
export async function tellings(db: Queryable, events: readonly Event[]): Promise<Map<number, Told>> {
  const of = (name: string) => events.map(({ data }) => data[name]);
  const messages = await byId<MessageRow>(
    db,
    MESSAGES,
    events.map(({ message_id }) => message_id),
  );
  const inbox = await byId<InboxRow>(db, INBOX, of('inbox_message_id'));
  const campaigns = await byId<CampaignRow>(db, CAMPAIGNS, of('campaign_id'));
  const accounts = await byId<AccountRow>(db, ACCOUNTS, of('billing_account_id'));
  const clicks = await clicksOf(db, of('code'));
  const ofJourney = await journeySteps(db, events);
  const ofVerification = await verificationEnds(db, events);
  const invoices = await byId<InvoiceRow>(db, INVOICES, of('invoice_id'));
  const topUps = await byId<TopUpRow>(db, TOP_UPS, of('top_up_id'));
  return new Map(
    events.map(({ id, type, message_id, data }) => {
      if (message_id !== null) {
        const message = messages.get(message_id);
        const { callback_url = null, callback_form = null } = message ?? {};
        return [id, { data: ofMessage(message_id, message, data), callback_url, callback_form }];
      }
      if (type === 'balance.low')
        return [id, quiet(ofAccount(accounts.get(data['billing_account_id'] as number), data))];
      if (type === 'payment.received' && data['top_up_id'] === undefined)
        return [id, quiet(ofPayment(accounts.get(data['billing_account_id'] as number), data))];
      if (type === 'payment.received') return [id, quiet(ofTopUp(topUps.get(data['top_up_id'] as number), data))];
      if (type === 'invoice.issued') return [id, quiet(ofInvoice(invoices.get(data['invoice_id'] as number), data))];
      if (type === 'campaign.finished')
        return [id, quiet(ofCampaign(campaigns.get(data['campaign_id'] as number), data))];
      if (type === 'journey.step') return [id, quiet(ofJourney({ data }))];
      if (type.startsWith('verification.')) return [id, quiet(ofVerification({ type, data }))];
      if (type === 'link.clicked') return [id, quiet(ofClick(clicks.get(data['code'] as string), data))];
      return [id, quiet(ofInbox(inbox.get(data['inbox_message_id'] as number), data))];
    }),
  );
}

const ofAccount = (row: AccountRow | undefined, data: Event['data']) => ({
  billing_account_id: String(data['billing_account_id']),
  name: row?.name ?? null,
  limit: data['limit'],
  balance: fromThousandths(data['balance'] as number),
  currency: row?.currency ?? null,
});

const ofTopUp = (row: TopUpRow | undefined, data: Event['data']) => ({
  id: String(data['top_up_id']),
  billing_account_id: textOf(row?.billing_account_id ?? null),
  amount: row ? fromThousandths(row.amount) : null,
  total: row ? fromThousandths(row.total) : null,
  currency: row?.currency ?? null,
  method: row?.method_name ?? null,
  reference: row?.reference ?? null,
  client_reference: row?.client_reference ?? null,
  paid_at: row?.paid_at ?? null,
});

/** Data of a payment that a person entered. */
const ofPayment = (row: AccountRow | undefined, data: Event['data']) => ({
  id: null,
  billing_account_id: String(data['billing_account_id']),
  amount: data['amount'],
  total: data['amount'],
  currency: row?.currency ?? null,
  method: null,
  reference: data['reference'] ?? null,
  client_reference: null,
  paid_at: data['paid_at'],
});

const ofInvoice = (row: InvoiceRow | undefined, data: Event['data']) => ({
  id: String(data['invoice_id']),
  kind: row?.kind ?? null,
  number: row?.number ?? null,
  issue_date: row?.issue_date ?? null,
  due_date: row?.due_date ?? null,
  total: row ? fromThousandths(row.payable) : null,
  currency: row?.currency ?? null,
  billing_account_id: textOf(row?.billing_account_id ?? null),
  credited_invoice_id: textOf(row?.credited_invoice_id ?? null),
});

const quiet = (data: Record<string, unknown>): Told => ({ data, callback_url: null, callback_form: null });

const ofMessage = (id: number, row: MessageRow | undefined, data: Event['data']) => ({
  id: String(id),
  state: data['state'],
  error_code: data['error_code'] ?? null,
  from: row?.sender ?? null,
  to: row?.recipient ?? null,
  parts: row?.parts ?? null,
  price: row ? fromThousandths(row.price) : null,
  currency: row?.currency ?? null,
  client_ref: row?.client_ref ?? null,
  tags: row?.tags ?? [],
  batch_id: textOf(row?.batch_id ?? null),
  campaign_id: textOf(row?.campaign_id ?? null),
  created_at: row?.created_at ?? null,
  parameters: data['parameters'] ?? {},
  done_at: data['at'],
});

const ofInbox = (row: InboxRow | undefined, data: Event['data']) => ({
  id: String(data['inbox_message_id']),
  from: row?.oa ?? null,
  to: row?.number ?? null,
  text: row?.message ?? null,
  keyword: row?.keyword ?? null,
  binary: row?.is_binary ?? false,
  parameters: row?.parameters ?? {},
  received_at: row?.received_at ?? null,
});

const ofCampaign = (row: CampaignRow | undefined, data: Event['data']) => ({
  id: String(data['campaign_id']),
  name: row?.name ?? null,
  state: data['state'],
  messages: row?.total_count ?? null,
  submitted: row?.submitted ?? 0,
  delivered: row?.delivered ?? 0,
  failed: row?.failed ?? 0,
  expired: row?.expired ?? 0,
  blocked: row?.blocked ?? 0,
  cancelled: row?.cancelled ?? 0,
  charged: fromThousandths(row?.charged ?? 0),
  currency: row?.currency ?? null,
});

const ofClick = (row: ClickRow | undefined, data: Event['data']) => ({
  campaign_id: String(data['campaign_id']),
  campaign: row?.campaign ?? null,
  link: row?.link ?? null,
  url: row?.url ?? null,
  code: data['code'],
  to: row?.recipient ?? null,
  clicked_at: row?.clicked_at ?? null,
});

/** Makes the body of a callback, by Standard Webhooks 1.0. */
export const bodyOf = (type: Event['type'], timestamp: string, data: Record<string, unknown>): string =>
  JSON.stringify({ type, timestamp, data });
