import Echo from 'laravel-echo';
import pusher from 'pusher-js';
import { headersFor, withToken } from './call.ts';

// The package's types describe its module as a namespace. A bundler imports the class itself.
const Pusher = pusher as unknown as typeof pusher.default;

/** Opens the live connection to the Pusher-protocol endpoint on the address this page came from. */
export function openEcho(key: string): Echo<'pusher'> {
  const secure = location.protocol === 'https:';
  const port = Number(location.port) || (secure ? 443 : 80);
  // Each authorization carries the token valid at that moment. The connection outlives many tokens.
  const authorize = (path: string, body: Record<string, string>) =>
    withToken((token) =>
      fetch(path, {
        method: 'POST',
        headers: { ...headersFor(token), 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    ).then((response) => {
      if (!response.ok) throw new Error(`${path} answered ${response.status}`);
      return response.json();
    });
  const client = new Pusher(key, {
    cluster: '',
    wsHost: location.hostname,
    wsPort: port,
    wssPort: port,
    forceTLS: secure,
    // Over TLS, the library's transport `ws` makes the connection. Its transport `wss` is the second try on an
    // unencrypted page.
    enabledTransports: ['ws', 'wss'],
    channelAuthorization: {
      endpoint: '/broadcasting/auth',
      transport: 'ajax',
      customHandler: ({ socketId, channelName }, done) =>
        authorize('/broadcasting/auth', { socket_id: socketId, channel_name: channelName }).then(
          (data) => done(null, data),
          (error: Error) => done(error, null),
        ),
    },
    userAuthentication: {
      endpoint: '/broadcasting/user-auth',
      transport: 'ajax',
      customHandler: ({ socketId }, done) =>
        authorize('/broadcasting/user-auth', { socket_id: socketId }).then(
          (data) => done(null, data),
          (error: Error) => done(error, null),
        ),
    },
  });
  return new Echo({ broadcaster: 'pusher', client, namespace: 'App.Events' });
}
