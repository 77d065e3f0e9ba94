import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startPaymentSimulator } from '../src/index.ts';

const simulator = await startPaymentSimulator({ port: 0 });
after(() => simulator.stop());

/** Calls the simulated Stripe with a form. */
async function stripe(method: string, path: string, form?: Record<string, string>, key?: string) {
  const answer = await fetch(`${simulator.url}/stripe/v1/${path}`, {
    method,
    headers: { authorization: 'Bearer sk_test_1', ...(key !== undefined && { 'idempotency-key': key }) },
    ...(form && { body: new URLSearchParams(form) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const PAGE = {
  client_reference_id: 'TU1',
  'line_items[0][price_data][currency]': 'php',
  'line_items[0][price_data][unit_amount]': '5000',
  'payment_intent_data[setup_future_usage]': 'off_session',
};

test('a page is opened once for an idempotency key, and refused for another request', async () => {
  const first = await stripe('POST', 'checkout/sessions', PAGE, 'open 1');
  assert.deepEqual(await stripe('POST', 'checkout/sessions', PAGE, 'open 1'), first);
  const other = await stripe('POST', 'checkout/sessions', { ...PAGE, client_reference_id: 'TU2' }, 'open 1');
  assert.equal(other.status, 400);
});

test('a kept card is charged until it is removed', async () => {
  const { body } = await stripe('POST', 'checkout/sessions', PAGE, 'open 2');
  const paid = simulator.act(String(body['id']), 'pay');
  const charge = (reference: string) =>
    stripe('POST', 'payment_intents', {
      amount: '700',
      currency: 'php',
      customer: paid.customer!,
      payment_method: paid.method!,
      'metadata[reference]': reference,
    });
  const card = paid.method!;
  assert.equal((await charge('TU3')).body['status'], 'succeeded');
  const { body: list } = await stripe('GET', `payment_intents?customer=${paid.customer}`);
  assert.ok(
    (list['data'] as { metadata: { reference?: string } }[]).some(({ metadata }) => metadata.reference === 'TU3'),
  );
  assert.equal((await stripe('POST', `payment_methods/${card}/detach`)).status, 200);
  assert.equal((await stripe('POST', `payment_methods/${card}/detach`)).status, 400);
  assert.equal(
    (
      await stripe('POST', 'payment_intents', {
        amount: '1',
        currency: 'php',
        customer: paid.customer!,
        payment_method: card,
      })
    ).status,
    400,
  );
});
