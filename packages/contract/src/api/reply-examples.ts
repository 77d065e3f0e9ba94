// Examples of answers in the document of the public API, by the names of their calls. They are pure data: a test compares
// each with the schema of its answer.

import { EVENT_EXAMPLES } from './event-examples.ts';
import { VERIFICATION_EXAMPLES } from './verification-examples.ts';

const DAY = '2026-11-30';
const at = (time: string): string => `${DAY}T${time}Z`;
/** One page with a record, and none behind it. */
const only = (record: unknown) => ({ data: [record], next_cursor: null, has_more: false });

const message = {
  id: '5734912000000',
  from: 'ACME',
  to: '639170000001',
  text: 'Your code is 123456',
  state: 'delivered',
  error_code: null,
  class: 'otp',
  encoding: 'gsm',
  flash: false,
  parts: 1,
  price: '0.600',
  currency: 'PHP',
  client_ref: 'login-42',
  tags: [],
  callback_url: null,
  batch_id: null,
  send_at: null,
  expires_at: at('10:30:00'),
  created_at: at('08:30:00'),
  done_at: at('08:30:03'),
  test: false,
};
const scheduled = { ...message, state: 'scheduled', class: 'bulk', send_at: at('09:00:00'), done_at: null };

const batch = {
  id: '811',
  total: 2,
  accepted: 1,
  parts: 1,
  price: '0.600',
  currency: 'PHP',
  client_ref: null,
  tags: [],
  rejected: [
    { index: 1, to: '12', code: 'validation_failed', field: 'to', detail: 'The number is too short or too long.' },
  ],
};
const followed = { ...batch, states: { delivered: 1 }, created_at: at('08:30:00') };

const invoice = {
  id: '17',
  kind: 'invoice',
  number: 'INV-2026-00017',
  status: 'open',
  seller: 'Heliograph',
  buyer: 'Acme Retail',
  issue_date: '2026-12-01',
  due_date: '2026-12-31',
  period_from: '2026-11-01',
  period_to: '2026-11-30',
  currency: 'PHP',
  net: '1000.00',
  tax: '120.00',
  rounding: '0.00',
  total: '1120.00',
  withholding: '0.00',
  paid: '0.00',
  credited: '0.00',
  open: '1120.00',
  billing_account_id: '2',
  issued_at: '2026-12-01T00:10:00Z',
};

const topUp = {
  id: '31',
  state: 'paid',
  billing_account_id: '2',
  amount: '1000.000',
  fee: '20.000',
  total: '1020.000',
  currency: 'PHP',
  method: 'Card',
  automatic: false,
  reference: 'TU-2026-00031',
  client_reference: null,
  returned: '0.000',
  taken_back: '0.000',
  created_at: at('08:30:00'),
  paid_at: at('08:31:12'),
};

const conversation = {
  id: '94',
  number: '639170000001',
  to: '29290',
  open: true,
  unread: 1,
  assigned_to: null,
  last_at: at('08:40:00'),
};

const consent = {
  id: '12',
  number: '639171234567',
  kind: 'opt_in',
  source: 'api',
  from: null,
  wording: 'News and offers by SMS',
  proof: 'https://example.com/club',
  at: at('08:30:00'),
};

const contact = {
  id: '6021',
  number: '639171234567',
  name: null,
  tags: ['vip'],
  fields: { birthday: '1990-05-31' },
  consent: 'opt_in',
  created_at: at('08:30:00'),
  updated_at: at('08:30:00'),
};

const segment = {
  id: '8',
  name: 'Regular customers',
  rule: { version: 1, match: 'all', rules: [{ on: 'tag', tag: 'vip', not: false }] },
  explanation: 'Contacts with the tag "vip".',
  lacks: [],
  created_at: at('08:30:00'),
  updated_at: at('08:30:00'),
};

const journey = {
  id: '3',
  name: 'Welcome',
  state: 'running',
  version: 1,
  trigger: 'event',
  entered: 250,
  spent: '150.000',
  budget: '1000.000',
  currency: 'PHP',
  created_at: at('08:30:00'),
  updated_at: at('08:30:00'),
};

const inbound = {
  id: '77',
  from: '639170000001',
  to: '29290',
  text: 'INFO please',
  keyword: 'INFO',
  binary: false,
  parameters: {},
  received_at: at('08:40:00'),
};

/** Example of the answer of each call; calls that answer a file have none. */
export const REPLY_EXAMPLES: Readonly<Record<string, unknown>> = {
  sendMessage: {
    id: message.id,
    to: message.to,
    state: 'pending',
    parts: 1,
    price: '0.600',
    currency: 'PHP',
    client_ref: 'login-42',
    send_at: null,
    expires_at: message.expires_at,
    test: false,
  },
  estimateMessage: {
    text: 'Hello',
    encoding: 'gsm',
    messages: 2,
    parts: 2,
    price: '1.200',
    currency: 'PHP',
    recipients: [
      { index: 0, to: '639170000001', parts: 1, price: '0.600' },
      { index: 1, to: '639170000002', parts: 1, price: '0.600' },
    ],
    rejected: [],
  },
  getMessage: message,
  listMessages: only(message),
  cancelMessage: { ...scheduled, state: 'cancelled', done_at: at('08:35:00') },
  sendBatch: { ...batch, test: false },
  getBatch: followed,
  cancelBatch: { ...followed, states: { cancelled: 1 } },
  getBalance: {
    billing_account: 'Acme main',
    credit: '23429.800',
    reserved: '36.000',
    credit_limit: '0.000',
    available: '23393.800',
    currency: 'PHP',
    suspended: false,
  },
  listInvoices: only(invoice),
  getInvoice: {
    ...invoice,
    reason: null,
    credited_invoice_id: null,
    files_ready: true,
    taxes: [{ category: 'standard', rate: '12.00', taxable: '1000.00', tax: '120.00' }],
    payments: [],
    credit_notes: [],
  },
  listTopUps: only(topUp),
  getTopUp: { ...topUp, returns: [] },
  listInbound: { data: [inbound], next_cursor: '77', has_more: false },
  listConversations: only(conversation),
  getConversation: conversation,
  listConversationMessages: only({
    id: '77',
    direction: 'in',
    text: 'INFO please',
    number: '639170000001',
    binary: false,
    status: null,
    at: at('08:40:00'),
  }),
  updateConversation: { ...conversation, open: false, unread: 0 },
  listConsents: { data: [consent] },
  addConsent: consent,
  listContacts: only(contact),
  getContact: contact,
  saveContact: contact,
  saveContacts: {
    saved: [{ index: 0, id: '81' }],
    rejected: [
      {
        index: 1,
        code: 'validation_failed',
        field: 'fields.birthday',
        detail: 'birthday: enter a date, such as 2026-01-31.',
      },
    ],
  },
  deleteContact: { id: contact.id },
  listContactFields: { data: [{ id: '4', key: 'birthday', name: 'Birthday', type: 'date', choices: [] }] },
  addConversion: {
    id: '55',
    name: 'purchase',
    value: '499.00',
    currency: 'PHP',
    at: at('08:50:00'),
    created_at: at('08:50:01'),
  },
  ...VERIFICATION_EXAMPLES,
  listSegments: only(segment),
  getSegment: segment,
  createSegment: segment,
  changeSegment: segment,
  deleteSegment: { id: segment.id },
  countSegmentContacts: { contacts: 1_250 },
  listJourneys: only(journey),
  getJourney: journey,
  enterJourney: { entered: true },
  ...EVENT_EXAMPLES,
};
