import { z } from 'zod';
import { day, instant } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { reportExport } from './report-file.ts';

const LOG_LEVELS = ['info', 'warn', 'error', 'fatal'] as const;
/** Processes with a log. */
const LOG_SOURCES = ['api', 'worker', 'sender', 'smpp-server'] as const;

const filters = z.object({
  level: z.enum(LOG_LEVELS).optional(),
  source: z.enum(LOG_SOURCES).optional(),
  request_id: z.string().trim().max(80).optional(),
  /** Days in the caller's time zone, both included. */
  from: day.optional(),
  to: day.optional(),
  search: z.string().trim().max(100).optional(),
});

/** Lists the log entries of the processes, newest first. They have no texts, numbers or secrets. */
export const applicationLogs = listing({
  path: '/api/v1/application-logs',
  permission: 'application-logs-index',
  row: z.object({
    id: z.int(),
    logged_at: instant,
    level: z.enum(LOG_LEVELS),
    source: z.string(),
    request_id: z.string().nullable(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
  filters,
  errors: ['malformed_request'],
});

/** Writes the same entries to a file. */
export const exportApplicationLogs = reportExport({
  path: '/api/v1/application-logs/exports',
  permission: 'application-logs-download',
  filters,
});
