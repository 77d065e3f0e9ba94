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
    EACCES: `${folder} belongs to account ${owner}: give it, and what is in it, to the one that runs Heliograph (chown -R heliograph: ${folder}), with mode 0700.`,
    EROFS: `${folder} is mounted for reading alone: mount it for writing. Under systemd it needs ReadWritePaths=${folder} in a drop-in.`,
    ENOSPC: `The disk of ${name} is full: make room.`,
    EDQUOT: `The quota of ${name} is used up: make room, or ask for more.`,
    ENOTDIR: `${name} must name a folder.`,
    EXDEV: `${folder}/drafts is another file system than ${folder}: put both on one.`,
  };
  const away = 'See whether the share that it is on is there (`df`), and mount it again.';
  const passing = new Set(['EIO', 'ESTALE', 'EHOSTDOWN', 'ETIMEDOUT', 'ENOTCONN']);
  const fix = fixes[code === 'EPERM' ? 'EACCES' : (code ?? '')];
  return {
    reason: code ?? message ?? 'it does not say why',
    fix: fix ?? (passing.has(code ?? '') ? away : `See what ${name} is (\`ls -ld ${folder}\`, \`df ${folder}\`).`),
  };
}

const RIGHTS = 'docs/operate/files.md lists all that it needs';

/** Answers the fix for an error name of S3, or of a compatible storage with its own names. */
function byWord(word: string, right: string): string | undefined {
  const fixes: Record<string, string> = {
    NoSuchBucket: 'S3_BUCKET names a bucket that is not there: correct it, or make the bucket.',
    InvalidAccessKeyId: 'S3_ACCESS_KEY_ID is not known there: correct it.',
    SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY is not the one of S3_ACCESS_KEY_ID: correct it. Else see S3_REGION.',
    AccessDenied: `The key of S3_ACCESS_KEY_ID may not do ${right} in S3_BUCKET, or is unknown: correct it, or give it that right (${RIGHTS}).`,
    AllAccessDisabled: 'The storage has closed the bucket of S3_BUCKET: ask whoever runs it.',
    RequestTimeTooSkewed: 'The clock is wrong: let NTP (chrony, systemd-timesyncd) run here.',
    ExpiredToken: 'The login of the machine is over: see its role, or set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
    CredentialsProviderError: 'Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or give the machine a role.',
    AuthorizationHeaderMalformed: 'S3_REGION is not that of the bucket: correct it.',
    PermanentRedirect: 'The bucket of S3_BUCKET is elsewhere: correct S3_REGION and S3_ENDPOINT.',
    InvalidBucketName: 'S3_BUCKET is no name that the storage takes: correct it.',
    QuotaExceeded: 'The quota of the storage is used up: make room, or ask for more.',
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
      reason: `it answers ${status}`,
      fix: 'It is overloaded or broken: see its own log. Jobs are tried again.',
    };
  if (/CERT|SSL|TLS|SELF_SIGNED/.test(code))
    return {
      reason: code,
      fix: 'Its certificate is not trusted: NODE_EXTRA_CA_CERTS=/path/to/ca.pem names its authority; S3_ENDPOINT must be the host that it names.',
    };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { reason: code, fix: 'S3_ENDPOINT names a host that is not known here: correct it, or see the DNS.' };
  if (/^E[A-Z]+$/.test(code) || name === 'TimeoutError')
    return { reason: code || name, fix: 'Nobody answers at S3_ENDPOINT: start the storage, or correct host and port.' };
  return {
    reason: (message ?? name).split('\n')[0] || 'it does not say why',
    fix: 'See whether what answers at S3_ENDPOINT speaks S3, and its own log.',
  };
}
