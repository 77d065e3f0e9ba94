import { createHash } from 'node:crypto';
import { createRemoteJWKSet, customFetch as keysFetch } from 'jose';
import * as client from 'openid-client';
import type { ConnectedConfig } from '#platform/config/config';
import { BusinessError } from '#platform/errors';
import type { Attempt } from './attempt.ts';
import { guardedFetch, UnreachableError } from './guarded-fetch.ts';
import type { Known } from './people.ts';
import { type Provider, secretOf } from './read-provider.ts';

/** Time for which the description of a provider is kept, in ms, and for which a failure to read it is. */
const KEPT_MS = 10 * 60_000;
const FAULT_MS = 10_000;
/** Maximum seconds of one call to a provider. */
const CALL_SECONDS = 10;
/** Signatures that count: never `none`, and never a secret that both sides know. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Registration at a provider of OpenID Connect. */
export interface Registration {
  issuer: string;
  client_id: string;
  secret: string | null;
}

/** A provider that was read: our client of it, and its keys. */
export interface Described {
  client: client.Configuration;
  metadata: client.ServerMetadata;
  keys: ReturnType<typeof createRemoteJWKSet>;
  algorithms: string[];
}

/** Answers how we prove ourselves at the token endpoint; Basic is the standard's default. */
function proofOf({ token_endpoint_auth_methods_supported: known }: client.ServerMetadata, secret: string | null) {
  if (secret === null) return client.None();
  return known?.includes('client_secret_post') && !known.includes('client_secret_basic')
    ? client.ClientSecretPost(secret)
    : client.ClientSecretBasic(secret);
}

/**
 * Reads the description of a provider (OpenID Connect Discovery 1.0), whose issuer must be the one that was entered.
 * Throws if it cannot be read, or offers no PKCE with S256.
 */
export async function describe(
  config: ConnectedConfig,
  { issuer, client_id, secret }: Registration,
): Promise<Described> {
  const server = new URL(issuer);
  const fetched = guardedFetch(config);
  // The contract allows addresses without TLS only on the machine itself.
  const insecure = server.protocol === 'http:';
  const found = await client.discovery(server, client_id, undefined, client.None(), {
    [client.customFetch]: fetched,
    timeout: CALL_SECONDS,
    execute: insecure ? [client.allowInsecureRequests] : [],
  });
  const metadata: client.ServerMetadata = { ...found.serverMetadata() };
  const challenges = metadata.code_challenge_methods_supported;
  if (challenges && !challenges.includes('S256')) throw new Error('the provider does not support PKCE with S256');
  if (!metadata.authorization_endpoint || !metadata.token_endpoint || !metadata.jwks_uri)
    throw new Error('the description lacks authorization_endpoint, token_endpoint or jwks_uri');
  const offered = metadata.id_token_signing_alg_values_supported ?? ['RS256'];
  const algorithms = ALGORITHMS.filter((name) => offered.includes(name));
  const made = new client.Configuration(
    { ...metadata, id_token_signing_alg_values_supported: algorithms },
    client_id,
    undefined,
    proofOf(metadata, secret),
  );
  made[client.customFetch] = fetched;
  made.timeout = CALL_SECONDS;
  if (insecure) client.allowInsecureRequests(made);
  // The signature of every ID token is checked, also if it came over TLS from the provider itself.
  client.enableNonRepudiationChecks(made);
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), {
    [keysFetch]: (url: string, init: { method: string; headers: Headers }) =>
      fetched(url, { method: init.method, headers: Object.fromEntries(init.headers), body: null, redirect: 'manual' }),
  });
  return { client: made, metadata, keys, algorithms };
}

/** Descriptions of providers, read once for ten minutes. */
export class Descriptions {
  readonly #config: ConnectedConfig;
  readonly #kept = new Map<number, { of: string; until: number; read: Promise<Described> }>();

  constructor(config: ConnectedConfig) {
    this.#config = config;
  }

  /** Answers the description of a provider. Throws as `describe` does. */
  of(provider: Provider): Promise<Described> {
    const { id, issuer, client_id } = provider;
    if (issuer === null || client_id === null) throw new Error('the provider has no issuer or no client ID');
    const registration = { issuer, client_id, secret: secretOf(this.#config, provider) };
    const of = createHash('sha256').update(JSON.stringify(registration)).digest('hex');
    const kept = this.#kept.get(id);
    if (kept && kept.of === of && kept.until > performance.now()) return kept.read;
    const entry = { of, until: performance.now() + KEPT_MS, read: describe(this.#config, registration) };
    this.#kept.set(id, entry);
    entry.read.catch(() => {
      entry.until = performance.now() + FAULT_MS;
    });
    return entry.read;
  }
}

/** Makes the address at which a sign-in goes on, and the attempt that the browser keeps. */
export async function beginOidc(
  { client: config }: Described,
  { key, scopes }: Pick<Provider, 'key' | 'scopes'>,
  { redirect_url, email, from }: { redirect_url: string; email: string | undefined; from: string | null },
): Promise<{ url: string; attempt: Attempt }> {
  const attempt = {
    key,
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
    from,
  };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirect_url,
    scope: scopes.split(/\s+/).join(' '),
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
    ...(email !== undefined && { login_hint: email }),
  });
  return { url: url.href, attempt };
}

type Claims = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

/** Answers what a provider says about a person's email: some write the truth value as text. */
function emailOf(claims: Claims, more: Claims): Pick<Known, 'email' | 'verified'> {
  const from = textOf(claims['email']) === null ? more : claims;
  const email = textOf(from['email']);
  const said = from['email_verified'] ?? (more['email'] === email ? more['email_verified'] : undefined);
  return { email, verified: said === undefined ? null : said === true || said === 'true' };
}

function groupsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return list.filter((each): each is string => typeof each === 'string');
}

/**
 * Exchanges the code of an answer and checks everything about it: state, issuer (RFC 9207), PKCE, signature, audience,
 * times and nonce. Answers the person as the provider knows them. Throws `sign_on_denied` if the provider refused, and
 * errors of the library.
 */
export async function finishOidc(
  { client: config, metadata }: Described,
  { groups_claim }: Pick<Provider, 'groups_claim'>,
  attempt: Attempt,
  { redirect_url, answer }: { redirect_url: string; answer: Readonly<Record<string, string>> },
): Promise<Known> {
  const address = new URL(redirect_url);
  address.search = new URLSearchParams(answer).toString();
  const tokens = await client
    .authorizationCodeGrant(config, address, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    })
    .catch((cause: unknown) => {
      if (cause instanceof client.AuthorizationResponseError) throw new BusinessError('sign_on_denied', { cause });
      throw cause;
    });
  const claims: Claims & { sub: string } = tokens.claims()!;
  const complete = claims['email'] && claims['email_verified'] !== undefined && claims[groups_claim] !== undefined;
  const more: Claims =
    complete || !metadata.userinfo_endpoint ? {} : await client.fetchUserInfo(config, tokens.access_token, claims.sub);
  const said = (name: string) => textOf(claims[name]) ?? textOf(more[name]);
  return {
    subject: claims.sub,
    ...emailOf(claims, more),
    name: said('name') ?? ([said('given_name'), said('family_name')].filter(Boolean).join(' ') || said('nickname')),
    groups: groupsOf(claims[groups_claim] ?? more[groups_claim]),
    session: textOf(claims['sid']),
  };
}

/** Tells if an error, or one behind it, is that the provider could not be reached. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof UnreachableError) return true;
  const { name, cause } = (error ?? {}) as { name?: string; cause?: unknown };
  return name === 'TimeoutError' || (cause !== undefined && isUnreachable(cause));
}

/** Answers the technical reason of a failure in one line, for the administrators of the provider. */
export function reasonOf(error: unknown): string {
  const { message = '', error: word, cause } = (error ?? {}) as { message?: string; error?: unknown; cause?: unknown };
  const first =
    error instanceof BusinessError ? error.code : typeof word === 'string' ? `${message} (${word})` : message;
  const rest = cause instanceof Error ? `: ${reasonOf(cause)}` : '';
  return `${first}${rest}`.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, 200);
}
