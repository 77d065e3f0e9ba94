import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { operation } from './operation.ts';
import type { Permission } from './screen-list.ts';

/** Returns the query of a numbered page: `?page=1&per_page=25&sort=-created_at&search=…&{field}=…`. */
export const pageQuery = <const Sort extends readonly [string, ...string[]]>(sort: Sort) =>
  z.object({
    page: z.coerce.number().int().min(1).max(100_000).default(1),
    per_page: z.coerce.number().int().min(1).max(200).default(25),
    sort: z.enum([...sort, ...sort.map((key) => `-${key}`)] as [SortKey<Sort>, ...SortKey<Sort>[]]).optional(),
    search: z.string().trim().max(100).optional(),
  });
export type SortKey<Sort extends readonly string[]> = Sort[number] | `-${Sort[number]}`;

/** Returns the reply with a numbered page of rows and the totals of the whole selection. */
export const pageReply = <Row extends z.ZodType>(row: Row) =>
  z.object({
    data: z.array(row),
    meta: z.object({ page: z.int(), per_page: z.int(), total: z.int(), pages: z.int() }),
  });

/** Query of a cursor page, for tables that grow without limit. */
export const cursorQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
});

/** Returns the reply with a cursor page: follow `next_cursor` while `has_more` is true. */
export const cursorReply = <Row extends z.ZodType>(row: Row) =>
  z.object({ data: z.array(row), next_cursor: z.string().nullable(), has_more: z.boolean() });

/** Declares a paged read that is not a resource, such as a report or a log. Its pages use a cursor. */
export function listing<
  const Path extends string,
  Row extends z.ZodObject,
  Filters extends z.ZodObject,
  Params extends z.ZodType = z.ZodObject,
>(l: {
  path: Path;
  permission: Permission | null;
  row: Row;
  filters: Filters;
  params?: Params;
  errors?: readonly ErrorCode[];
}) {
  return operation({
    method: 'GET',
    path: l.path,
    permission: l.permission,
    params: l.params ?? (z.object({}) as unknown as Params),
    query: cursorQuery.extend(l.filters.shape as Filters['shape']),
    reply: cursorReply(l.row),
    errors: l.errors ?? [],
  });
}
