import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider from 'oidc-provider';
import { listenOn } from '../own-port.ts';
import type { Scope } from '../template-database.ts';

/** Person at the independent provider. */
export interface Person {
  sub: string;
  email: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

/**
 * An independent provider of OpenID Connect (the package `oidc-provider`). It asks a browser who it is, and for no
 * password.
 */
export interface Peer {
  issuer: string;
  people: Map<string, Person>;
  /** Makes the provider, once the addresses of its client are known. */
  open(client: { redirect_uri: string; logout_uri: string }): void;
  /** Goes to an address at the provider and signs in there as a person; answers the parameters that it sends back. */
  visit(at: URL, sub: string): Promise<Record<string, string>>;
  /** Ends a person's sessions at the provider, which tells its clients. */
  logOut(sub: string): Promise<void>;
}

/** Part of the provider that its types leave out. */
interface Logouts {
  backchannelLogout(sub: string, sid: string): Promise<void>;
}

const CLIENT = { client_id: 'console', client_secret: 'a secret of the console' };

/** Starts the provider on this machine. */
export async function startPeer(t: Scope): Promise<Peer> {
  const people = new Map<string, Person>();
  let provider: Provider | undefined;
  let visitor = '';
  const sids = new Map<string, string>();
  const server = createServer((request, response) => void handle(request, response));
  const issuer = `http://127.0.0.1:${await listenOn(server, t)}`;

  async function handle(request: IncomingMessage, response: ServerResponse) {
    if (!provider) return response.writeHead(503).end();
    if (request.url?.startsWith('/interaction/')) {
      if (visitor !== '') return provider.interactionFinished(request, response, { login: { accountId: visitor } });
      // A browser gets a page that asks who it is.
      const { searchParams } = new URL(request.url, issuer);
      const accountId = searchParams.get('person');
      if (accountId !== null) return provider.interactionFinished(request, response, { login: { accountId } });
      return response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<title>Company</title><form><label>Person <input name="person"></label><button>Continue</button></form>');
    }
    return provider.callback()(request, response);
  }

  function open({ redirect_uri, logout_uri }: { redirect_uri: string; logout_uri: string }) {
    provider = new Provider(issuer, {
      clients: [
        {
          ...CLIENT,
          redirect_uris: [redirect_uri],
          response_types: ['code'],
          grant_types: ['authorization_code'],
          backchannel_logout_uri: logout_uri,
          backchannel_logout_session_required: true,
        },
      ],
      claims: { openid: ['sub', 'sid'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      scopes: ['openid', 'email', 'profile', 'groups'],
      conformIdTokenClaims: true,
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...people.get(sub)! }) }),
      async loadExistingGrant(ctx) {
        const { Grant } = ctx.oidc.provider;
        const grant = new Grant({ clientId: ctx.oidc.client!.clientId, accountId: ctx.oidc.session!.accountId! });
        grant.addOIDCScope('openid email profile groups');
        await grant.save();
        return grant;
      },
      // It refuses calls to this machine otherwise.
      fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
      cookies: { keys: ['a key of the test'] },
    });
    provider.on('authorization.success', (ctx) => {
      sids.set(visitor, ctx.oidc.session!.sidFor(CLIENT.client_id)!);
    });
  }

  async function visit(at: URL, sub: string): Promise<Record<string, string>> {
    visitor = sub;
    const jar = new Map<string, string>();
    for (let next = at; ; ) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const set of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
        jar.set(name!, value!);
      }
      const to = answer.headers.get('location');
      if (to === null) throw new Error(`${answer.status} ${await answer.text()}`);
      next = new URL(to, next);
      if (next.origin !== issuer) return Object.fromEntries(next.searchParams);
    }
  }

  async function logOut(sub: string): Promise<void> {
    const client = await provider!.Client.find(CLIENT.client_id);
    await (client as unknown as Logouts).backchannelLogout(sub, sids.get(sub)!);
  }

  return { issuer, people, open, visit, logOut };
}
