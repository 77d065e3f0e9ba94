/** Reason why a storage refused a file, and the setting or place to correct. */
interface Fix {
  reason: string;
  fix: string;
}

interface Fault {
  name?: string;
  message?: string;
  code?: string;
  cause?: unknown;
  $metadata?: { httpStatusCode?: number };
}

/**
 * Finds the original error. Ours says only that a fault is temporary or a file is missing, and has the storage's own
 * error as its cause.
 */
function rootOf(error: unknown): Fault {
  const fault = (error ?? {}) as Fault;
  const inner = fault.cause as Fault | undefined;
  const ours = fault.code === 'unavailable' || fault.code === 'not_found';
  return inner !== undefined && (ours || inner.code !== undefined) ? rootOf(inner) : fault;
}

/** Answers the fix for a folder: `owner` is the number of the account that it belongs to. */
export function folderFix(
  error: unknown,
  { name, folder, owner }: { name: string; folder: string; owner: number },
): Fix {
  const { code, message } = rootOf(error);
  const fixes: Record<string, string> = {
    EACCES: `${folder} belongs to account ${owner}. Make the account that runs Heliograph its owner (chown -R heliograph: ${folder}), with mode 0700.`,
    EROFS: `${folder} is mounted read-only: mount it for writing. Under systemd it needs ReadWritePaths=${folder} in a drop-in.`,
    ENOSPC: `The disk of ${name} is full: make room.`,
    EDQUOT: `The quota of ${name} is used up: make room, or request more.`,
    ENOTDIR: `${name} must name a folder.`,
    EXDEV: `${folder}/drafts is on another file system than ${folder}: put both on the same.`,
  };
  const away = 'Check that its share is mounted (`df`), and mount it again.';
  const passing = new Set(['EIO', 'ESTALE', 'EHOSTDOWN', 'ETIMEDOUT', 'ENOTCONN']);
  const fix = fixes[code === 'EPERM' ? 'EACCES' : (code ?? '')];
  return {
    reason: code ?? message ?? 'no reason given',
    fix: fix ?? (passing.has(code ?? '') ? away : `Check ${name} (\`ls -ld ${folder}\`, \`df ${folder}\`).`),
  };
}

const RIGHTS = 'docs/operate/files.md lists all rights';

/** Answers the fix for an error name of S3, or of a compatible storage with its own names. */
function byWord(word: string, right: string): string | undefined {
  const fixes: Record<string, string> = {
    NoSuchBucket: 'S3_BUCKET names a bucket that does not exist: correct it, or create the bucket.',
    InvalidAccessKeyId: 'The storage does not know S3_ACCESS_KEY_ID: correct it.',
    SignatureDoesNotMatch:
      'S3_SECRET_ACCESS_KEY does not belong to S3_ACCESS_KEY_ID: correct it. Also check S3_REGION.',
    AccessDenied: `The key of S3_ACCESS_KEY_ID may not do ${right} in S3_BUCKET, or is unknown. Correct it, or grant that right (${RIGHTS}).`,
    AllAccessDisabled: 'The storage has closed the bucket of S3_BUCKET: ask its operator.',
    RequestTimeTooSkewed: 'The clock is wrong: run NTP (chrony, systemd-timesyncd) on this machine.',
    ExpiredToken:
      'The login of the machine has expired: check its role, or set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
    CredentialsProviderError: 'Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or give the machine a role.',
    AuthorizationHeaderMalformed: 'S3_REGION is not the region of the bucket: correct it.',
    PermanentRedirect: 'The bucket of S3_BUCKET is in another place: correct S3_REGION and S3_ENDPOINT.',
    InvalidBucketName: 'The storage does not accept the name in S3_BUCKET: correct it.',
    QuotaExceeded: 'The quota of the storage is used up: make room, or request more.',
  };
  return Object.hasOwn(fixes, word) ? fixes[word] : undefined;
}

const BY_STATUS: Readonly<Record<number, string>> = {
  301: 'PermanentRedirect',
  403: 'AccessDenied',
  404: 'NoSuchBucket',
};

/** Answers the fix for an S3-compatible storage; `right` is the right that the refused step needs. */
export function storageFix(error: unknown, right: string): Fix {
  const { name = '', message, code = '', $metadata } = rootOf(error);
  const status = $metadata?.httpStatusCode;
  const known = byWord(name, right) ?? byWord(BY_STATUS[status ?? 0] ?? '', right);
  if (known !== undefined) return { reason: `${name}${status ? ` (${status})` : ''}`, fix: known };
  if (status !== undefined && (status >= 500 || status === 429))
    return {
      reason: `the storage answers ${status}`,
      fix: 'It is overloaded or broken: read its own log. Jobs are retried.',
    };
  if (/CERT|SSL|TLS|SELF_SIGNED/.test(code))
    return {
      reason: code,
      fix: 'Its certificate is not trusted. Set NODE_EXTRA_CA_CERTS=/path/to/ca.pem to its authority; S3_ENDPOINT must use a host in the certificate.',
    };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { reason: code, fix: 'S3_ENDPOINT names an unknown host: correct it, or check the DNS.' };
  if (/^E[A-Z]+$/.test(code) || name === 'TimeoutError')
    return {
      reason: code || name,
      fix: 'No server answers at S3_ENDPOINT: start the storage, or correct host and port.',
    };
  return {
    reason: (message ?? name).split('\n')[0] || 'no reason given',
    fix: 'Check that the server at S3_ENDPOINT is an S3 storage, and read its log.',
  };
}
