import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type CacheProvider, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import type { Identity } from '#modules/identity';
import type { ConnectedConfig } from '#platform/config/config';
import { open, secretKey } from '#platform/process/seal';
import type { Attempt } from './attempt.ts';
import { certificatesIn } from './own-certificate.ts';
import type { Known } from './people.ts';
import { type Addresses, ownKeyContext, type Provider } from './read-provider.ts';

/** Seconds within which a response must follow its request, and the difference of clocks that is accepted. */
const LIFE_SECONDS = 600;
const SKEW_MS = 30_000;
/** Maximum characters of a response in base64. */
const RESPONSE_CHARACTERS = 350_000;

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
/** Signatures and digests that are too weak (RFC 9155, NIST SP 800-131A), and those by a shared secret. */
const WEAK = /xmldsig#(?:rsa-sha1|dsa-sha1|sha1|hmac-sha1)|xmldsig-more#(?:rsa-md5|md5|hmac-)/;

const NONCE_BYTES = 16;
const EXPIRY_BYTES = 6;
const BODY_BYTES = NONCE_BYTES + EXPIRY_BYTES;
const SEAL_BYTES = 16;

const sealOf = (key: Buffer, provider: string, body: Buffer) =>
  createHmac('sha256', key)
    .update(JSON.stringify(['saml request', provider, body.toString('hex')]))
    .digest()
    .subarray(0, SEAL_BYTES);

/** Makes the id of a request. It holds its end and our seal, so that no request is stored before its response comes. */
export function makeRequestId({ key, clock }: Pick<Identity, 'key' | 'clock'>, provider: string): string {
  const body = Buffer.alloc(BODY_BYTES);
  randomBytes(NONCE_BYTES).copy(body);
  body.writeUIntBE(Math.floor(clock.now().getTime() / 1000) + LIFE_SECONDS, NONCE_BYTES, EXPIRY_BYTES);
  return `_${Buffer.concat([body, sealOf(key, provider, body)]).toString('hex')}`;
}

/** Answers when a request of ours to a provider was made; null if it is none, or too old. */
function requestTime({ key, clock }: Pick<Identity, 'key' | 'clock'>, provider: string, id: string): string | null {
  const bytes = Buffer.from(id.slice(1), 'hex');
  if (!/^_[0-9a-f]+$/.test(id) || bytes.length !== BODY_BYTES + SEAL_BYTES) return null;
  const body = bytes.subarray(0, BODY_BYTES);
  const end = body.readUIntBE(NONCE_BYTES, EXPIRY_BYTES);
  if (!timingSafeEqual(bytes.subarray(BODY_BYTES), sealOf(key, provider, body))) return null;
  return end * 1000 > clock.now().getTime() ? new Date((end - LIFE_SECONDS) * 1000).toISOString() : null;
}

/** Makes the library's side of a provider: our requests, and the checks of its responses. */
export function samlOf(
  identity: Pick<Identity, 'key' | 'clock'>,
  config: ConnectedConfig,
  provider: Provider,
  addresses: Addresses,
  requestId?: string,
): SAML {
  const { id, key, own_key_sealed, own_certificate } = provider;
  const own = own_key_sealed === null ? undefined : open(secretKey(config), own_key_sealed, ownKeyContext(id));
  const requests: CacheProvider = {
    saveAsync: async (_id, value) => ({ value, createdAt: identity.clock.now().getTime() }),
    getAsync: async (of) => requestTime(identity, key, of),
    removeAsync: async () => null,
  };
  return new SAML({
    entryPoint: provider.sso_url!,
    callbackUrl: addresses.acs_url,
    issuer: addresses.entity_id,
    audience: addresses.entity_id,
    idpCert: (certificatesIn(provider.certificates ?? '') ?? []).map((each) => each.toString()),
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    validateInResponseTo: ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: LIFE_SECONDS * 1000,
    cacheProvider: requests,
    acceptedClockSkewMs: SKEW_MS,
    maxAssertionAgeMs: LIFE_SECONDS * 1000,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    ...(requestId !== undefined && { generateUniqueId: () => requestId }),
    ...(own !== undefined && { decryptionPvk: own }),
    ...(own !== undefined && provider.signs_requests && { privateKey: own, publicCert: own_certificate! }),
  });
}

/** Makes the address at which a sign-in goes on, and the attempt that the browser keeps. */
export async function beginSaml(
  identity: Identity,
  config: ConnectedConfig,
  provider: Provider,
  { addresses, from }: { addresses: Addresses; from: string | null },
): Promise<{ url: string; attempt: Attempt }> {
  const state = makeRequestId(identity, provider.key);
  const saml = samlOf(identity, config, provider, addresses, state);
  const url = await saml.getAuthorizeUrlAsync(state, undefined, {});
  return { url, attempt: { key: provider.key, state, nonce: '', verifier: '', from } };
}

type Xml = Readonly<Record<string, unknown>>;
const listOf = (xml: Xml | undefined, name: string): Xml[] => (xml?.[name] ?? []) as Xml[];
const attributesOf = (xml: Xml | undefined): Readonly<Record<string, string>> =>
  (xml?.['$'] ?? {}) as Record<string, string>;
const textOf = (xml: unknown): string | null => {
  const text = typeof xml === 'string' ? xml : (xml as { _?: unknown } | undefined)?._;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
};

/** A response that was checked. */
export interface Proved {
  known: Known;
  /** Id of the request that it answers. */
  request: string;
  /** Id of the assertion, which counts once. */
  assertion: string;
}

/**
 * Checks a response (SAML 2.0, web browser SSO profile): the signature of its one assertion, who made it, for us, in
 * time, for this address and for a request of ours. Only what is signed is read. Throws an Error with the reason.
 */
export async function readResponse(
  identity: Pick<Identity, 'key' | 'clock'>,
  config: ConnectedConfig,
  provider: Provider,
  addresses: Addresses,
  { SAMLResponse, RelayState }: { SAMLResponse: string; RelayState?: string | undefined },
): Promise<Proved> {
  if (SAMLResponse.length > RESPONSE_CHARACTERS) throw new Error('the response is too long');
  const xml = Buffer.from(SAMLResponse, 'base64').toString('utf8');
  // Entities could read files or fill the memory, and no response needs them.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw new Error('a DOCTYPE is not allowed');
  // The digest within RSA-OAEP of an encrypted key is no signature.
  if (WEAK.test(xml.replace(/<(?:\w+:)?EncryptedData[\s>][\s\S]*?<\/(?:\w+:)?EncryptedData>/g, '')))
    throw new Error('the signature uses a weak algorithm');
  if (!xml.includes(SUCCESS)) throw new Error('the provider did not report success');
  const saml = samlOf(identity, config, provider, addresses);
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse });
  const assertion = (profile?.getAssertion?.() as { Assertion?: Xml } | undefined)?.Assertion;
  if (!profile || !assertion) throw new Error('there is no assertion');
  if (profile.issuer !== provider.entity_id) throw new Error('the assertion is of another issuer');
  const [conditions] = listOf(assertion, 'Conditions');
  if (!attributesOf(conditions)['NotOnOrAfter']) throw new Error('the assertion has no end');
  const [subject] = listOf(assertion, 'Subject');
  const request = profile.inResponseTo as string | undefined;
  const confirmed = listOf(subject, 'SubjectConfirmation').some((confirmation) => {
    const data = attributesOf(listOf(confirmation, 'SubjectConfirmationData')[0]);
    return (
      attributesOf(confirmation)['Method'] === BEARER &&
      data['Recipient'] === addresses.acs_url &&
      data['InResponseTo'] === request &&
      Date.parse(data['NotOnOrAfter'] ?? '') + SKEW_MS > identity.clock.now().getTime()
    );
  });
  if (!confirmed || !request) throw new Error('the assertion is not for this address, or not for our request');
  if (RelayState !== request) throw new Error('the relay state is of another request');
  const { ID } = attributesOf(assertion);
  const name = textOf(listOf(subject, 'NameID')[0]);
  if (!ID || name === null) throw new Error('the assertion has no id or no subject');
  return { known: knownOf(provider, name, profile), request, assertion: ID };
}

type Profile = NonNullable<Awaited<ReturnType<SAML['validatePostResponseAsync']>>['profile']>;

function knownOf(provider: Provider, subject: string, profile: Profile): Known {
  const attributes = (profile['attributes'] ?? {}) as Record<string, unknown>;
  const all = (name: string) => [attributes[name]].flat().flatMap((each) => textOf(each) ?? []);
  const groups = all(provider.groups_claim);
  return {
    subject,
    email: all(provider.email_attribute)[0] ?? (profile.nameIDFormat === EMAIL_FORMAT ? subject : null),
    // A company's own provider speaks for the addresses of its own domains.
    verified: true,
    name: all(provider.name_attribute)[0] ?? null,
    // Only groups that a rule names matter, and the browser carries the rest in vain.
    groups: groups.filter((group) => provider.role_rules.some((rule) => rule.group === group)),
    session: profile.sessionIndex ?? null,
  };
}
