import { randomBytes } from 'node:crypto';

/** Features of browsers that no screen uses: neither the page nor a frame in it may ask for them. */
const NO_FEATURES = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'usb',
  'xr-spatial-tracking',
];

/** Features that the page itself uses, but no frame: passkeys. */
const OWN_FEATURES = ['publickey-credentials-create', 'publickey-credentials-get'];

/**
 * Content security policy of every answer. Scripts and styles come from our files; `styleNonce` names the style
 * elements that the console's components write themselves. Style attributes in HTML are never allowed: scripts set
 * single properties, which the policy does not restrict.
 */
export const contentPolicy = (styleNonce?: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styleNonce === undefined ? '' : ` 'nonce-${styleNonce}'`}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // Live events come over a socket to the same host and port, which 'self' covers (CSP3 §6.7.2.8).
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join(';');

/** Makes a nonce that nobody can guess: 128 bits, for one answer. */
export const newNonce = (): string => randomBytes(16).toString('base64url');

/** Headers of every answer. A page or a file may set another value. */
export const SAFE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  // The same as frame-ancestors, for browsers that do not know it.
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
  'content-security-policy': contentPolicy(),
  'permissions-policy': [
    ...NO_FEATURES.map((name) => `${name}=()`),
    ...OWN_FEATURES.map((name) => `${name}=(self)`),
  ].join(', '),
};

/** Header of every answer of a site that is reached only by TLS. */
export const ONLY_TLS = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

/** Headers of an answer that passes no hook: refusals by the router itself, which are never a page. */
export const REFUSAL_HEADERS = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'permissions-policy': SAFE_HEADERS['permissions-policy'],
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};
