import { z } from 'zod';

/** What a list is written as: lines for programs, or a workbook. */
export const FILE_FORMATS = ['csv', 'xlsx'] as const;

export type FileFormat = (typeof FILE_FORMATS)[number];

/** Asks for a file as lines or as a workbook, in which numbers of phones stay as they are. */
export const formatQuery = z.object({ format: z.enum(FILE_FORMATS).default('csv') });
