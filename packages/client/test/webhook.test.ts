import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { verifyWebhook, type WebhookHeaders } from '../src/index.ts';

const NOW = Date.parse('2030-01-31T08:00:00Z');
const BODY = JSON.stringify({
  type: 'message.delivered',
  timestamp: '2030-01-31T08:00:00Z',
  data: { id: '7', tags: ['ü'] },
});
const secret = () => `whsec_${randomBytes(32).toString('base64')}`;
const [OURS, OLD, FOREIGN] = [secret(), secret(), secret()];

function signed(
  by: readonly string[],
  { seconds = NOW / 1_000, body = BODY, id = 'evt_1' } = {},
): Record<string, string> {
  const signatures = by.map((each) => {
    const key = Buffer.from(each.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}
const verify = (headers: WebhookHeaders, secrets: string | string[] = OURS, body: string | Uint8Array = BODY) =>
  verifyWebhook(body, headers, secrets, { now: () => NOW });

test('accepts a callback signed with any of the secrets', async () => {
  const told = { id: 'evt_1', event: JSON.parse(BODY) };
  assert.deepEqual(await verify(signed([OURS])), told);
  assert.deepEqual(await verify(new Headers(signed([OURS]))), told);
  assert.deepEqual(await verify(signed([OURS]), OURS, Buffer.from(BODY)), told);
  assert.deepEqual(await verify(signed([OLD, OURS])), told);
  assert.deepEqual(await verify(signed([OLD]), [OURS, OLD]), told);
  for (const seconds of [-300, 300])
    assert.deepEqual(await verify(signed([OURS], { seconds: NOW / 1_000 + seconds })), told);
});

test('refuses a forged, changed, old or broken callback with a WebhookError', async () => {
  const good = signed([OURS]);
  const refused: [WebhookHeaders, string?][] = [
    [signed([FOREIGN])],
    [good, `${BODY} `],
    [{ ...good, 'webhook-id': 'evt_2' }],
    [{ ...good, 'webhook-timestamp': String(NOW / 1_000 + 1) }],
    [signed([OURS], { seconds: NOW / 1_000 - 301 })],
    [signed([OURS], { seconds: NOW / 1_000 + 301 })],
    [{ ...good, 'webhook-timestamp': 'NaN' }],
    [{ ...good, 'webhook-signature': '' }],
    [{ ...good, 'webhook-signature': 'v1,' }],
    [{ ...good, 'webhook-signature': 'v1,%%%' }],
    [{ ...good, 'webhook-signature': good['webhook-signature']!.replace('v1,', 'v1a,') }],
    [{ ...good, 'webhook-signature': good['webhook-signature']!.slice(0, -4) }],
    [{}],
    [new Headers()],
  ];
  for (const [headers, body] of refused)
    await assert.rejects(verify(headers, OURS, body), { name: 'WebhookError' }, JSON.stringify(headers));
  for (const bad of ['', 'whsec_', 'whsec_%%', OURS.slice(6)])
    await assert.rejects(verify(good, bad), { name: 'WebhookError', message: /whsec_/ });
});
