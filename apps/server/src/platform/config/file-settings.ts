import { z } from 'zod';
import { folder, url } from './setting-kinds.ts';

/** Settings of the storage of uploads, exports and lists of refused rows. */
export const fileSettings = {
  FILES_DIR: folder.optional().meta({
    description:
      'Folder for uploads, exports and lists of rejected rows. If there are several machines, all must share it.',
    allowed: 'a path to a folder',
    fallback: 'unset: DATA_DIR/files',
  }),
  S3_BUCKET: z
    .string()
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{1,61}[a-zA-Z0-9]$/)
    .optional()
    .meta({
      description: 'Bucket of an S3-compatible storage for those files, instead of a folder.',
      allowed: 'the name of a bucket',
      fallback: 'unset: files are kept in FILES_DIR',
    }),
  S3_PREFIX: z
    .string()
    .regex(/^[\w.-][\w./-]{0,199}$/)
    .transform((value) => value.replace(/\/*$/, '/'))
    .optional()
    .meta({
      description: 'Beginning of the key of every object, for a bucket that is shared with other programs.',
      allowed: 'letters, digits and . _ - /, such as heliograph/production',
      fallback: 'unset: nothing',
    }),
  S3_ENDPOINT: url('http:', 'https:').optional().meta({
    description: 'Address of the storage, if it is not Amazon S3.',
    allowed: 'a URL that starts with http:// or https://',
    fallback: 'unset: Amazon S3 in S3_REGION',
  }),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,50}$/)
    .default('us-east-1')
    .meta({ description: 'Region of the bucket.', allowed: 'the name of a region', fallback: 'us-east-1' }),
  S3_PATH_STYLE: z.stringbool().optional().meta({
    description: 'Whether the name of the bucket is in the path of the address (true) or in the host name (false).',
    allowed: 'true or false',
    fallback: 'true if S3_ENDPOINT is set, else false',
  }),
  S3_ACCESS_KEY_ID: z.string().max(200).optional().meta({
    description: 'Access key of the storage.',
    allowed: 'a text',
    fallback: "unset: the SDK's usual sources, such as the role of the machine",
  }),
  S3_SECRET_ACCESS_KEY: z.string().max(200).optional().meta({
    description: 'Secret of that access key.',
    allowed: 'a text',
    fallback: 'unset',
    secret: true,
  }),
};
