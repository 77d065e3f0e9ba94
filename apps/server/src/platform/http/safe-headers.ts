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
  'publickey-credentials-get',
  'screen-wake-lock',
  'usb',
  'xr-spatial-tracking',
];

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

/** Headers of every answer besides those that helmet sets. */
export const SAFE_HEADERS = {
  'content-security-policy': contentPolicy(),
  'permissions-policy': NO_FEATURES.map((name) => `${name}=()`).join(', '),
};

/** Headers of an answer that passes no hook: refusals by the router itself, which are never a page. */
export const REFUSAL_HEADERS = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'permissions-policy': SAFE_HEADERS['permissions-policy'],
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};
