import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { listenOn } from '../own-port.ts';
import type { Scope } from '../template-database.ts';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

/** A provider that answers whatever a test wants, signed or not. It is no client of any library for OpenID Connect. */
export interface HostileProvider {
  issuer: string;
  /** Claims that are right for a nonce; a test changes some of them. */
  claims(nonce: string, more?: JWTPayload): JWTPayload;
  /** Signs claims with the provider's key, or with another one. */
  sign(claims: JWTPayload, options?: { alg?: string; stranger?: boolean; type?: string }): Promise<string>;
  /** Answer of the token endpoint from now on. */
  tokens(answer: object | ((form: URLSearchParams) => object)): void;
  /** Fields of its description that differ. */
  description: Record<string, unknown>;
  /** Forms that the token endpoint got. */
  asked: URLSearchParams[];
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Starts a hostile provider on this machine. */
export async function startHostileProvider(t: Scope): Promise<HostileProvider> {
  const own: Keys = await generateKeyPair('RS256');
  const stranger: Keys = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' };
  let answer: object | ((form: URLSearchParams) => object) = {};
  const send = (response: ServerResponse, body: object, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const hostile = { asked: [] as URLSearchParams[], description: {} as Record<string, unknown> };
  const server = createServer((request, response) => {
    const issuer = `http://${request.headers.host}`;
    const path = new URL(request.url!, issuer).pathname;
    if (path === '/.well-known/openid-configuration')
      return send(response, {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        ...hostile.description,
      });
    if (path === '/jwks') return send(response, { keys: [jwk] });
    if (path === '/token')
      return void bodyOf(request).then((text) => {
        const form = new URLSearchParams(text);
        hostile.asked.push(form);
        const body = typeof answer === 'function' ? answer(form) : answer;
        send(response, body, 'error' in body ? 400 : 200);
      });
    return send(response, {}, 404);
  });
  const issuer = `http://127.0.0.1:${await listenOn(server, t)}`;
  return Object.assign(hostile, {
    issuer,
    claims: (nonce: string, more: JWTPayload = {}): JWTPayload => ({
      iss: issuer,
      aud: 'console',
      sub: 'subject-1',
      iat: Math.floor(Date.now() / 1000),
      exp: Math.floor(Date.now() / 1000) + 300,
      nonce,
      email: 'user@heliograph.test',
      email_verified: true,
      groups: [],
      ...more,
    }),
    async sign(claims: JWTPayload, { alg = 'RS256', stranger: foreign = false, type = 'JWT' } = {}) {
      if (alg === 'none') {
        const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
        return `${part({ alg: 'none', typ: type })}.${part(claims)}.`;
      }
      const jwt = new SignJWT(claims).setProtectedHeader({ alg, kid: 'own', typ: type });
      if (alg === 'HS256') return jwt.sign(new TextEncoder().encode(JSON.stringify(jwk)));
      return jwt.sign((foreign ? stranger : own).privateKey);
    },
    tokens(next: object | ((form: URLSearchParams) => object)) {
      answer = next;
    },
  });
}
