import type { EventType } from '@heliograph/contract/kernel/events';

/** Makes sample data for an event type. */
export function sample(type: EventType, at: string): Record<string, unknown> {
  const message = {
    id: '5734912000000',
    from: 'Heliograph',
    to: '15550100123',
    parts: 1,
    price: '0.350',
    currency: 'USD',
    client_ref: 'order-1001',
    tags: ['sample'],
    batch_id: null,
    campaign_id: null,
    created_at: at,
    parameters: {},
    done_at: at,
  };
  if (type === 'message.delivered' || type === 'message.corrected')
    return { ...message, state: 'delivered', error_code: null };
  if (type === 'message.failed') return { ...message, state: 'failed_other', error_code: 'undeliverable:027' };
  if (type === 'message.expired') return { ...message, state: 'expired', error_code: 'expired' };
  if (type === 'message.received')
    return {
      id: '1',
      from: '15550100123',
      to: '12345',
      text: 'YES',
      keyword: 'yes',
      binary: false,
      parameters: {},
      received_at: at,
    };
  if (type === 'balance.low')
    return { billing_account_id: '1', name: 'Sample', limit: 'low_balance', balance: '9.500', currency: 'USD' };
  if (type === 'payment.received')
    return {
      id: '1',
      billing_account_id: '1',
      amount: '1000.000',
      total: '1030.000',
      currency: 'USD',
      method: 'Card',
      reference: 'TU2345ABCDEFGH',
      client_reference: null,
      paid_at: at,
    };
  if (type === 'invoice.issued')
    return {
      id: '1',
      kind: 'invoice',
      number: 'INV-2026-00001',
      issue_date: at.slice(0, 10),
      due_date: at.slice(0, 10),
      total: '1120.000',
      currency: 'USD',
      billing_account_id: '1',
      credited_invoice_id: null,
    };
  if (type === 'link.clicked')
    return {
      campaign_id: '1',
      campaign: 'Sample',
      link: 1,
      url: 'https://example.com/sale',
      code: 'Sample1234',
      to: '15550100123',
      clicked_at: at,
    };
  if (type === 'journey.step')
    return {
      journey_id: '1',
      journey: 'Sample',
      step: 1,
      name: 'Sample',
      to: '15550100123',
      contact: { id: '1', name: 'Sample', fields: { city: 'Cebu' } },
    };
  if (type === 'verification.approved' || type === 'verification.failed' || type === 'verification.expired')
    return {
      id: '1',
      service: '1',
      to: '15550100123',
      status: type.slice('verification.'.length),
      language: 'en',
      parts: 1,
      price: '0.350',
      currency: 'USD',
      client_ref: 'login-42',
      created_at: at,
      done_at: at,
      test: false,
    };
  const counts = { messages: 3, submitted: 3, delivered: 2, failed: 1, expired: 0, blocked: 0, cancelled: 0 };
  return { id: '1', name: 'Sample', state: 'completed', ...counts, charged: '1.050', currency: 'USD' };
}
