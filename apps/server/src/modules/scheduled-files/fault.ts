import type { FileFault } from '@heliograph/contract/scheduled-files/scheduled-file';
import { TargetError } from '#platform/outbound/outbound';

/** Reason why a destination did not take a file, in a word that people can act on. */
export class DestinationFault extends Error {
  readonly code: FileFault;
  constructor(code: FileFault, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

interface Told {
  code?: string | number;
  name?: string;
  level?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Names of errors of a storage whose login is wrong. */
const BAD_LOGIN = /^(InvalidAccessKeyId|SignatureDoesNotMatch|AuthFailure|InvalidToken)$/;

/** Answers the reason for an error on the way to a destination, over SSH or HTTP. */
export function faultOf(error: unknown): FileFault {
  if (error instanceof DestinationFault || error instanceof TargetError) return error.code;
  const { code, name = '', level, $metadata } = error as Told;
  if (level === 'client-authentication' || BAD_LOGIN.test(name)) return 'sign_in_refused';
  if (level === 'client-timeout' || name === 'TimeoutError' || code === 'ETIMEDOUT') return 'timeout';
  if (name === 'NoSuchBucket') return 'bucket_missing';
  if ($metadata?.httpStatusCode === 403) return 'not_permitted';
  if (typeof code === 'string' && /CERT|TLS|SSL|SIGNATURE|ALTNAME/.test(code)) return 'tls';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'interrupted';
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return 'unreachable';
  // Status codes of SFTP (draft-ietf-secsh-filexfer-02, clause 7).
  if (code === 2) return 'folder_missing';
  if (code === 3) return 'not_permitted';
  return 'refused';
}
