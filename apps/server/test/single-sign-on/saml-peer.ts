import { X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import samlp from 'samlp';
import { makeOwnKey } from '../../src/modules/single-sign-on/own-certificate.ts';

/** Person at the independent provider. */
export interface SamlPerson {
  id: string;
  email: string;
  name?: string;
  groups?: string[];
}

/** Options that make the provider answer differently from the request. */
export type Wrongs = Partial<Parameters<typeof samlp.getSamlResponse>[0]>;

/** A response as the provider's page posts it. */
export interface Posted {
  SAMLResponse: string;
  RelayState: string;
}

/** An independent provider of SAML 2.0 (the package `samlp`), which asks for no password. */
export interface SamlPeer {
  issuer: string;
  certificate: string;
  sso_url: string;
  /** Answers the request in an address at the provider for a person. */
  respond(at: URL, person: SamlPerson, wrongs?: Wrongs): Promise<Posted>;
  /** Its own metadata. */
  metadata(): Promise<string>;
}

/** Makes a provider with a key of its own. */
export async function makeSamlPeer(name = 'idp'): Promise<SamlPeer> {
  const { private_key, certificate } = await makeOwnKey(name, new Date());
  const issuer = `https://${name}.example.com/saml`;
  const sso_url = `https://${name}.example.com/sso?tenant=1`;
  const identity = { issuer, cert: certificate, key: private_key };
  const parse = promisify(samlp.parseRequest);
  const answer = promisify(samlp.getSamlResponse);
  return {
    issuer,
    certificate,
    sso_url,
    async respond(at, person, wrongs = {}) {
      const query = Object.fromEntries(at.searchParams);
      const request = (await parse({ method: 'GET', query }, {}))!;
      const acs = request.assertionConsumerServiceURL!;
      const xml = await answer(
        {
          ...identity,
          audience: request.issuer!,
          recipient: acs,
          destination: acs,
          inResponseTo: request.id!,
          signatureAlgorithm: 'rsa-sha256',
          digestAlgorithm: 'sha256',
          lifetimeInSeconds: 300,
          sessionIndex: `_session-${person.id}`,
          profileMapper: () => ({
            getClaims: () => ({
              email: person.email,
              displayName: person.name ?? person.id,
              groups: person.groups ?? [],
            }),
            getNameIdentifier: () => ({ nameIdentifier: person.id }),
          }),
          ...wrongs,
        },
        {},
      );
      return { SAMLResponse: Buffer.from(xml!).toString('base64'), RelayState: query['RelayState']! };
    },
    metadata: () =>
      new Promise((done) => {
        const respond = samlp.metadata({ ...identity, redirectEndpointPath: '/sso', postEndpointPath: '/sso' });
        const request = {
          headers: { host: `${name}.example.com` },
          protocol: 'https',
          originalUrl: '/metadata',
          connection: {},
        };
        respond(request, { set: () => undefined, send: (body: string) => done(body) });
      }),
  };
}

/** Reads the public key of a certificate in PEM, as the provider wants it for encryption. */
export const publicKeyOf = (certificate: string): string =>
  new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'pem' }) as string;
