import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { signIn } from '@heliograph/contract/identity/session';
import { LOCALES } from '@heliograph/contract/kernel/scope';
import { until } from '@heliograph/fault-kit';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { startProcess } from '../operate/running.ts';
import { startTestApi } from '../test-api.ts';
import { startNats, withoutNats } from './nats-server.ts';

// Two machines of the API behind one NATS, as browsers see them. A change on one is seen on the other.

const CHANNEL = 'private-application.1';
const CHANGED = 'languages.changed';

/**
 * Opens a browser on one process. It joins the channel, reconnects when the server asks for it, as pusher-js does, and
 * joins again.
 */
function browser(url: string, token: string) {
  const state = { joined: 0, heard: 0, told: 0 };
  let stopped = false;
  let socket: WebSocket;
  const open = () => {
    socket = new WebSocket(`${url.replace('http', 'ws')}/app/heliograph`);
    socket.addEventListener('message', async ({ data }) => {
      const { event, data: inner } = JSON.parse(String(data)) as { event: string; data: string };
      if (event === 'pusher:connection_established') {
        const { socket_id } = JSON.parse(inner) as { socket_id: string };
        const response = await fetch(`${url}/broadcasting/auth`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ socket_id, channel_name: CHANNEL }),
        });
        const { auth } = (await response.json()) as { auth: string };
        socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel: CHANNEL, auth } }));
      } else if (event === 'pusher_internal:subscription_succeeded') state.joined++;
      else if (event === CHANGED) state.heard++;
    });
    socket.addEventListener('close', ({ code }) => {
      if (stopped) return;
      // 4200 to 4299: the browser reconnects immediately, and reads again what it may have missed.
      if (code >= 4200 && code < 4300) state.told++;
      open();
    });
  };
  open();
  return {
    state,
    close() {
      stopped = true;
      socket.close();
    },
  };
}

test('a browser hears a change on another machine, also after NATS was away', {
  skip: withoutNats,
}, async (t) => {
  const nats = await startNats(t);
  const own = { SECRET_KEY: randomBytes(32).toString('base64'), NATS_URL: nats.url };
  const here = await startTestApi(t, { settings: own });
  const there = await startProcess(t, 'api', here.database.url, { ...own, LOG_LEVEL: 'warn' });
  const { body } = await here.anonymous()('POST', signIn.path, {
    username: 'superadmin@heliograph.test',
    password: DEMO_PASSWORD,
  });
  const { access_token } = signIn.reply.parse(body);
  const caller = here.anonymous(access_token);
  const one = browser(there.url!, access_token);
  t.after(() => one.close());
  await until('the browser joins', () => one.state.joined === 1);
  /** Adds a text on this machine, and returns the status. */
  const add = async (key: string) => {
    const texts = Object.fromEntries(LOCALES.map((locale) => [locale, key]));
    return (await caller('POST', '/api/v1/languages', { group: 'own', key, ...texts })).status;
  };
  assert.equal(await add('first'), 201);
  await until('the other machine tells its browser', () => one.state.heard === 1);
  assert.equal(await add('first'), 409, 'what is refused tells nobody');

  await nats.kill();
  assert.equal(await add('second'), 201, 'work goes on without NATS');
  await nats.start();
  await until('the browser is told to read again, and comes back', () => one.state.told > 0 && one.state.joined > 1);
  const { told, joined } = one.state;
  await until('it stays', () => one.state.joined === joined + one.state.told - told);
  const { heard } = one.state;
  assert.equal(heard, 1, 'what was refused, and what NATS never had, is not heard');
  await until('it hears the next event', () => {
    void add(`later-${randomBytes(4).toString('hex')}`);
    return one.state.heard > heard;
  });
  const response = await fetch(`${there.url}/api/v1/languages/texts?locale=en`);
  const texts = (await response.json()) as Record<string, string>;
  assert.equal(texts['own.second'], 'second', 'the other machine itself has read again, too');
});
