import type { HttpMapping } from '@heliograph/contract/links/http-mapping';
import type { link } from '@heliograph/contract/links/link';
import type { z } from 'zod';
import { fieldError } from '#platform/errors';
import { hostOf } from '#platform/outbound/outbound';

/** Maximum characters of a system_id, and of a password over SMPP as far as carriers stretch it. */
const SYSTEM_ID = 15;
const SMPP_PASSWORD = 64;

const PLACEHOLDER = /\{[a-z0-9_]+\}/g;

type LinkBody = Omit<z.output<typeof link.update>, 'password'> & { password?: string | null | undefined };

/** Columns that follow from the protocol and its mapping. */
interface Fitted {
  http: string | null;
  host?: string;
  port?: number;
  tls?: boolean;
  system_id?: string;
  id_rule?: 'as_is';
  binds?: number;
  long_messages?: 'payload' | 'udh_8';
}

/**
 * Answers the columns of settings that follow from others: over HTTP the address of the mapping names the host. Throws
 * `validation_failed` on a field that does not fit the protocol.
 */
export function fitProtocol(body: LinkBody, protocol: string, present: HttpMapping | null): Fitted {
  if (protocol === 'smpp') {
    if ((body.password?.length ?? 0) > SMPP_PASSWORD) throw fieldError('password', 'link_password_length');
    return { http: null };
  }
  const http = body.http ?? present;
  if (!http) throw fieldError('http', 'http_mapping');
  if (http.encoding === 'json' && http.method !== 'GET' && http.body.trim() === '')
    throw fieldError('http.body', 'http_body');
  if (http.recipients > 1 && http.list === '') throw fieldError('http.list', 'http_list');
  if (http.signature !== 'none' && http.signature_header === '')
    throw fieldError('http.signature_header', 'http_header');
  const { origin } = new URL(http.url.replace(PLACEHOLDER, '0'));
  for (const name of ['poll_receipts', 'poll_replies'] as const) {
    // The password goes with each question, and it is only for the host of the link.
    if (http[name] !== '' && new URL(http[name].replace(PLACEHOLDER, '0')).origin !== origin)
      throw fieldError(`http.${name}`, 'http_same_host');
  }
  const { host, port } = hostOf(new URL(http.url.replace(PLACEHOLDER, '0')));
  const ours = body.long_messages === undefined || body.long_messages === 'payload' ? body.long_messages : 'udh_8';
  return {
    http: JSON.stringify(http),
    host,
    port,
    tls: http.url.startsWith('https:'),
    // Links of one account share receipts, over HTTP as over SMPP.
    system_id: http.user.slice(0, SYSTEM_ID) || http.form,
    id_rule: 'as_is',
    binds: 1,
    ...(ours && { long_messages: ours }),
  };
}
