import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** Flags of authenticator data, section 6.1 of WebAuthn level 3. */
const FLAGS = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 } as const;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const text = (value: Buffer) => value.toString('base64url');

/** Mistakes and lies of a device, for the tests of attacks. */
export interface Wrongs {
  origin?: string;
  rpId?: string;
  /** Says that nobody checked who uses the device. */
  unverified?: boolean;
  challenge?: string;
  type?: string;
  counter?: number;
}

/** A device with one passkey (ES256), written from the standard alone. */
export class Authenticator {
  readonly id = randomBytes(32);
  readonly #origin: string;
  readonly #rpId: string;
  readonly #private: KeyObject;
  readonly #public: { x: Buffer; y: Buffer };
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
    this.#rpId = new URL(origin).hostname;
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
    this.#private = privateKey;
    this.#public = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') };
  }

  /** Answers the options for a new passkey, as `navigator.credentials.create` does. */
  create({ challenge }: { challenge: string }, wrongs: Wrongs = {}) {
    const cose = cbor(
      new Map<number, number | Buffer>([
        [1, 2], // kty: EC2
        [3, -7], // alg: ES256
        [-1, 1], // crv: P-256
        [-2, this.#public.x],
        [-3, this.#public.y],
      ]),
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, cose]);
    const authData = Buffer.concat([this.#data(FLAGS.attested, wrongs), attested]);
    const attestation = cbor(
      new Map<string, string | Map<string, string> | Buffer>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return {
      ...this.#credential,
      response: {
        clientDataJSON: text(this.#client('webauthn.create', challenge, wrongs)),
        attestationObject: text(attestation),
        transports: ['internal'],
      },
    };
  }

  /** Answers the options for a proof, as `navigator.credentials.get` does. */
  get({ challenge }: { challenge: string }, wrongs: Wrongs = {}) {
    const authData = this.#data(0, wrongs);
    const client = this.#client('webauthn.get', challenge, wrongs);
    const signature = createSign('SHA256')
      .update(Buffer.concat([authData, sha256(client)]))
      .sign(this.#private);
    return {
      ...this.#credential,
      response: {
        clientDataJSON: text(client),
        authenticatorData: text(authData),
        signature: text(signature),
      },
    };
  }

  get #credential() {
    return { id: text(this.id), rawId: text(this.id), type: 'public-key' as const };
  }

  #client(type: string, challenge: string, wrongs: Wrongs): Buffer {
    const { origin = this.#origin } = wrongs;
    return Buffer.from(
      JSON.stringify({
        type: wrongs.type ?? type,
        challenge: wrongs.challenge ?? challenge,
        origin,
        crossOrigin: false,
      }),
    );
  }

  #data(flags: number, wrongs: Wrongs): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(wrongs.counter ?? ++this.#counter);
    const all =
      flags | FLAGS.present | FLAGS.backupEligible | FLAGS.backedUp | (wrongs.unverified ? 0 : FLAGS.verified);
    return Buffer.concat([sha256(wrongs.rpId ?? this.#rpId), Buffer.from([all]), counter]);
  }
}

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** Encodes the few kinds of CBOR (RFC 8949) that a passkey needs. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
