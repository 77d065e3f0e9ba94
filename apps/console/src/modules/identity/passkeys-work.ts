/** Tells whether passkeys work here: browsers want a recent version, TLS, and a name in place of an IP address. */
export function passkeysWork(): boolean {
  return isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname);
}
