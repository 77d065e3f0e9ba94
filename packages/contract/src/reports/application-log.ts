import { z } from 'zod';
import { day, instant } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { personText } from '../kernel/personal.ts';
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
  /** Moments: the first is included, the second is not. They narrow the days further. */
  since: instant.optional(),
  until: instant.optional(),
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
    message: personText(z.string()),
    details: personText(z.record(z.string(), z.unknown())),
  }),
  filters,
  errors: ['malformed_request'],
});

const levels = z.object({ info: z.int(), warn: z.int(), error: z.int(), fatal: z.int() });

/**
 * Counts the entries by time and level, and names the most frequent messages. Without a period it covers the last 24
 * hours. The filter by level narrows only the messages, so that the levels can be compared.
 */
export const applicationLogFigures = operation({
  method: 'GET',
  path: '/api/v1/application-logs/figures',
  permission: 'application-logs-index',
  query: filters,
  reply: z.object({
    data: z.object({
      since: instant,
      until: instant,
      /** Seconds that a bar covers. */
      step: z.int(),
      totals: levels,
      /** Bars in order, empty ones included. */
      bars: z.array(levels.extend({ at: instant })),
      messages: z.array(z.object({ message: personText(z.string()), count: z.int() })),
    }),
  }),
  errors: ['malformed_request'],
});

/** Writes the same entries to a file. */
export const exportApplicationLogs = reportExport({
  path: '/api/v1/application-logs/exports',
  permission: 'application-logs-download',
  filters,
});
