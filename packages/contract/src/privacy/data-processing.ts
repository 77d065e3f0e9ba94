import { z } from 'zod';
import { reference } from '../kernel/fields.ts';
import { PRINTED_FORMATS } from '../kernel/file-format.ts';
import { listing } from '../kernel/listing.ts';
import { reportExport } from '../reports/report-file.ts';
import { PERSON_KINDS } from './person-request.ts';

/** Kinds of records with personal data: those of a search for a person, of the console's people, and of companies. */
export const PROCESSED_KINDS = [
  ...PERSON_KINDS,
  'users',
  'sessions',
  'customers',
  'payments',
  'senders',
  'requests',
] as const;
export type ProcessedKind = (typeof PROCESSED_KINDS)[number];

const filters = z.object({
  /** Corporation whose rules of retention are shown; empty for the caller's own, or the platform's settings. */
  corporation_id: reference('corporations').optional(),
});

/** Lists the tables with personal data, in the language of the caller. */
export const dataProcessing = listing({
  path: '/api/v1/data-processing',
  permission: 'data-processing-index',
  row: z.object({
    id: z.int(),
    kind: z.string(),
    /** Table of the database. */
    place: z.string(),
    /** Columns with personal data, separated by commas. */
    columns: z.string(),
    /** People that the data is about. */
    subject: z.string(),
    purpose: z.string(),
    kept: z.string(),
    /** Permissions with which people read it. */
    readers: z.string(),
    recipients: z.string(),
    protection: z.string(),
  }),
  filters: z.object({ corporation_id: z.coerce.number().int().optional() }),
});

/** Asks for the record as a file. */
export const exportDataProcessing = reportExport({
  path: '/api/v1/data-processing/exports',
  permission: 'data-processing-download',
  filters,
  formats: PRINTED_FORMATS,
});
