import { z } from 'zod';
import type { ErrorCode } from '../kernel/errors.ts';
import { FILE_FORMATS, type ListFormat } from '../kernel/file-format.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import type { Permission } from '../kernel/screen-list.ts';
import { downloadRow } from './transaction.ts';

/** Declares the call that writes a report's selection to a file in the background; the file appears in the bell. */
export const reportExport = <
  const Path extends string,
  Filters extends z.ZodRawShape,
  const Formats extends readonly ListFormat[] = typeof FILE_FORMATS,
>(e: {
  path: Path;
  permission: Permission;
  filters: z.ZodObject<Filters>;
  errors?: readonly ErrorCode[];
  /** Formats to choose from; lines and a workbook if absent. */
  formats?: Formats;
}) =>
  operation({
    method: 'POST',
    path: e.path,
    permission: e.permission,
    body: z.object({
      ...e.filters.shape,
      format: z.enum((e.formats ?? FILE_FORMATS) as Formats).default('csv' as never),
    }),
    reply: oneReply(downloadRow),
    status: 202,
    errors: e.errors ?? [],
  });
