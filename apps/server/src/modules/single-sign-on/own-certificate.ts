import { createSign, generateKeyPair, randomBytes, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';

const KEY_BITS = 2048;
const YEARS = 10;

/** Encodes one value of ASN.1 in DER: its tag, its length, its octets. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(4, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x82]), length, body]);
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BITS = 0x03;
const OID = 0x06;
const UTF8 = 0x0c;
const TIME = 0x18;
const VERSION = 0xa0;

const SHA256_WITH_RSA = der(SEQUENCE, der(OID, Buffer.from('2a864886f70d01010b', 'hex')), Buffer.from([0x05, 0x00]));
const nameOf = (name: string) =>
  der(SEQUENCE, der(SET, der(SEQUENCE, der(OID, Buffer.from('550403', 'hex')), der(UTF8, Buffer.from(name)))));
const timeOf = (time: Date) => der(TIME, Buffer.from(`${time.toISOString().replace(/\D/g, '').slice(0, 14)}Z`));

const pem = (label: string, octets: Buffer) =>
  `-----BEGIN ${label}-----\n${octets.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`;

/** Our key for one provider with its certificate, which we have signed ourselves (RFC 5280), both in PEM. */
export interface OwnKey {
  private_key: string;
  certificate: string;
}

/** Makes a key pair and its certificate for ten years. Providers compare the certificate only with our metadata. */
export async function makeOwnKey(name: string, now: Date): Promise<OwnKey> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: KEY_BITS });
  const serial = randomBytes(16);
  serial[0]! &= 0x7f;
  serial[0]! |= 0x40;
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + YEARS);
  const signed = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, serial),
    SHA256_WITH_RSA,
    nameOf(name),
    der(SEQUENCE, timeOf(now), timeOf(end)),
    nameOf(name),
    pair.publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = createSign('sha256').update(signed).sign(pair.privateKey);
  const certificate = der(SEQUENCE, signed, SHA256_WITH_RSA, der(BITS, Buffer.from([0]), signature));
  return {
    private_key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: pem('CERTIFICATE', certificate),
  };
}

const LEAST_RSA_BITS = 2048;

/** Reads the certificates of a text in PEM, or in base64 only; undefined if one is none, or its key is too weak. */
export function certificatesIn(text: string): X509Certificate[] | undefined {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [text];
  try {
    return blocks.map((block) => {
      const certificate = new X509Certificate(
        block.startsWith('-') ? block : pem('CERTIFICATE', Buffer.from(block, 'base64')),
      );
      const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
      if (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) < LEAST_RSA_BITS)
        throw new Error('the key is too short');
      return certificate;
    });
  } catch {
    return undefined;
  }
}
