import { z } from 'zod';

/** Formats of a list as a file: lines for programs, or a workbook. */
export const FILE_FORMATS = ['csv', 'xlsx'] as const;

/** Formats of a list that is also printed. */
export const PRINTED_FORMATS = [...FILE_FORMATS, 'pdf'] as const;

/** Formats of a log: programs read JSON lines (RFC 8259 values, one in each line). */
export const LOG_FORMATS = [...FILE_FORMATS, 'jsonl'] as const;

export type ListFormat = PrintedFormat | (typeof LOG_FORMATS)[number];
export type PrintedFormat = (typeof PRINTED_FORMATS)[number];
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Query for a file as lines or as a workbook; a workbook keeps phone numbers unchanged. */
export const formatQuery = z.object({ format: z.enum(FILE_FORMATS).default('csv') });
