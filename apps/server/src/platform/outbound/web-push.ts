import { createCipheriv, createECDH, createPrivateKey, type ECDH, hkdfSync, randomBytes, sign } from 'node:crypto';

// Web Push: messages to browsers are encrypted (RFC 8291) and signed with the key of this installation (VAPID, RFC 8292).

const CURVE = 'prime256v1';
/** Record size in the header of the content; the content is one record. */
const RECORD_BYTES = 4096;
/** Validity of a signature in seconds; push services accept at most a day. */
const SIGNED_FOR = 12 * 3_600;

/** Key pair of an installation, in base64url: an uncompressed point of P-256 and its scalar. */
export interface PushKey {
  public_key: string;
  private_key: string;
}

/** Receiver of messages: the browser's public key and its secret, in base64url. */
export interface PushReceiver {
  p256dh: string;
  auth: string;
}

/** Makes a key pair. */
export function newPushKey(): PushKey {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return {
    public_key: pair.getPublicKey('base64url'),
    private_key: pair.getPrivateKey().toString('base64url').padStart(43, 'A'),
  };
}

const newPair = (): ECDH => {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return pair;
};

/**
 * Encrypts at most 3,993 bytes for a browser (RFC 8291, content coding aes128gcm of RFC 8188). Throws if the browser's key is
 * no point of the curve. The key pair and the salt are new for each message; only tests give them.
 */
export function encryptPush(
  plain: Buffer,
  receiver: PushReceiver,
  pair: ECDH = newPair(),
  salt: Buffer = randomBytes(16),
): Buffer {
  const theirs = Buffer.from(receiver.p256dh, 'base64url');
  const ours = pair.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const secret = hkdfSync('sha256', pair.computeSecret(theirs), Buffer.from(receiver.auth, 'base64url'), info, 32);
  const key = hkdfSync('sha256', Buffer.from(secret), salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = hkdfSync('sha256', Buffer.from(secret), salt, 'Content-Encoding: nonce\0', 12);
  const size = Buffer.alloc(5);
  size.writeUInt32BE(RECORD_BYTES);
  size[4] = ours.length;
  const cipher = createCipheriv('aes-128-gcm', Buffer.from(key), Buffer.from(nonce));
  // 2 marks the last record.
  const content = Buffer.concat([cipher.update(Buffer.concat([plain, Buffer.from([2])])), cipher.final()]);
  return Buffer.concat([salt, size, ours, content, cipher.getAuthTag()]);
}

/** Returns the header Authorization for a push service: a token for its origin, signed with ES256, and our public key. */
export function pushAuthorization(key: PushKey, endpoint: string, contact: string, now: Date): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const expires = Math.floor(now.getTime() / 1_000) + SIGNED_FOR;
  const token = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud: new URL(endpoint).origin, exp: expires, sub: contact })}`;
  const point = Buffer.from(key.public_key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
    d: key.private_key,
  };
  const signer = createPrivateKey({ key: jwk, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(token), { key: signer, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${token}.${signature.toString('base64url')}, k=${key.public_key}`;
}
