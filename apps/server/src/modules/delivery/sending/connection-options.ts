import { isIP } from 'node:net';
import type { ConnectionOptions } from '@heliograph/smpp';
import { type CarrierConfig, carrierLookup } from '#platform/outbound/outbound';
import type { Link } from './link.ts';

const SECOND = 1_000;
const DRAIN_MS = 3_000;
const LARGEST_WINDOW = 16_384;

/** Builds the TLS options of a link: which authority is trusted, and whether the certificate must name the host. */
export function tlsOptions({
  host,
  tls,
  tls_ca,
  tls_verify_name,
}: Pick<Link, 'host' | 'tls' | 'tls_ca' | 'tls_verify_name'>) {
  if (!tls) return undefined;
  return {
    // RFC 6066 does not allow addresses as server names; the certificate is then checked against the address itself.
    servername: isIP(host) ? '' : host,
    ...(tls_ca !== null && { ca: tls_ca }),
    ...(!tls_verify_name && { checkServerIdentity: () => undefined }),
  };
}

/** Builds the options of one of a link's connections. */
export function connectionOptions(
  link: Link,
  password: string,
  mode: ConnectionOptions['bind']['mode'],
  config: CarrierConfig,
): ConnectionOptions {
  return {
    host: link.host,
    port: link.port,
    tls: tlsOptions(link),
    ...(config.PRIVATE_CARRIERS !== undefined && carrierLookup(config)),
    bind: { mode, system_id: link.system_id, password, system_type: link.system_type },
    window: Math.min(link.window_size, LARGEST_WINDOW),
    responseMs: link.response_seconds * SECOND,
    enquireLinkMs: link.enquire_link_seconds * SECOND,
    bindMs: link.bind_seconds * SECOND,
    drainMs: DRAIN_MS,
  };
}
