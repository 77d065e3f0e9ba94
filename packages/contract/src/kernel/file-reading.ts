import { z } from 'zod';
import { operation } from './operation.ts';
import { oneReply } from './resource.ts';

/** Encodings of text files; each is a label that TextDecoder knows. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'gbk',
  'big5',
  'shift_jis',
  'euc-kr',
  'windows-1251',
  'windows-1252',
  'windows-1250',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1258',
  'windows-874',
] as const;
export type TextEncoding = (typeof ENCODINGS)[number];

/** Separators between the cells of a text file. */
export const SEPARATORS = ['comma', 'semicolon', 'tab', 'pipe'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** Last row of a file that can hold the headings. */
const MAX_HEADER_ROW = 1_000;

/** Settings for reading a file. Those left out are detected. */
export const fileReading = z.object({
  encoding: z.enum(ENCODINGS).optional(),
  separator: z.enum(SEPARATORS).optional(),
  /** Name of a workbook's sheet. */
  sheet: z.string().min(1).max(100).optional(),
  /** Row of the file that holds the headings, from 1; rows above it are ignored. */
  header_row: z.coerce.number().int().min(1).max(MAX_HEADER_ROW).optional(),
});
export type FileReading = z.output<typeof fileReading>;

/** Settings with which a file was read: chosen, else detected. */
export const readAs = z.object({
  /** Encoding and separator; null for a workbook. */
  encoding: z.enum(ENCODINGS).nullable(),
  separator: z.enum(SEPARATORS).nullable(),
  /** Sheet that was read; null for a text file. */
  sheet: z.string().nullable(),
  /** Names of the sheets that can be chosen. */
  sheets: z.array(z.string()),
  header_row: z.int(),
});
export type ReadAs = z.output<typeof readAs>;

/** Values for the sentence of an error code. */
export const errorParams = z.record(z.string(), z.union([z.string(), z.number()]));

/** Bytes of a text file that are enough for a preview; a workbook is needed as a whole. */
export const PREVIEW_BYTES = 256 * 1024;

const filePreview = z.object({
  read_as: readAs,
  /** First rows of the file that are not hidden, including those above the headings. */
  rows: z.array(z.object({ line: z.int(), cells: z.array(z.string()) })),
  /** Sentence about damage that refuses the file unless another reading is chosen. */
  fault: z.string().nullable(),
});

/** Shows the first rows of a CSV or XLSX as they would be read. Nothing is stored. */
export const previewFile = operation({
  method: 'POST',
  path: '/api/v1/file-previews',
  permission: null,
  query: fileReading,
  upload: true,
  reply: oneReply(filePreview),
  errors: ['file_type_unknown', 'file_unreadable', 'sheet_missing', 'too_many_files', 'payload_too_large'],
});
