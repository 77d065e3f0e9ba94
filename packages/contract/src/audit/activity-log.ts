import { z } from 'zod';
import { day, instant } from '../kernel/fields.ts';
import { LOG_FORMATS } from '../kernel/file-format.ts';
import { listing } from '../kernel/listing.ts';
import { personText } from '../kernel/personal.ts';
import { reportExport } from '../reports/report-file.ts';

const filters = z.object({
  /** Area, such as `users`. */
  name: z.string().trim().max(60).optional(),
  description: z.string().trim().max(100).optional(),
  subject_type: z.string().trim().max(60).optional(),
  subject_id: z.coerce.number().int().optional(),
  causer_id: z.coerce.number().int().optional(),
  corporation_id: z.coerce.number().int().optional(),
  /** First and last day, such as 2026-02-28, in the reader's time zone. */
  from: day.optional(),
  to: day.optional(),
  search: z.string().trim().max(100).optional(),
});

/** Lists changes and the people who made them, newest first. */
export const activityLogs = listing({
  path: '/api/v1/activity-logs',
  permission: 'activity-logs-index',
  row: z.object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    subject_type: z.string(),
    subject_id: z.int().nullable(),
    causer_type: z.string(),
    causer_id: z.int().nullable(),
    causer_name: z.string().nullable(),
    corporation_id: z.int().nullable(),
    corporation_name: z.string().nullable(),
    /** Changed fields with their values before and after; secrets are never among them. */
    properties: z.object({
      before: personText(z.record(z.string(), z.unknown())).nullable(),
      after: personText(z.record(z.string(), z.unknown())).nullable(),
    }),
    /** Action that was done, in the reader's language. */
    action: z.string(),
    /** Area, subject of the entry, and the changed fields, in the reader's language. */
    area: z.string(),
    subject: personText(z.string()),
    /** Currency of the amounts; null for the platform's own records. */
    currency: z.string().nullable(),
    changes: z.array(
      z.object({
        field: z.string(),
        label: z.string(),
        show: z.enum(['text', 'money', 'instant', 'date', 'yes-no']),
        before: personText(z.string()).nullable(),
        after: personText(z.string()).nullable(),
      }),
    ),
    /** True for an entry whose details a rule of retention removed. */
    removed: z.boolean(),
    created_at: instant,
  }),
  filters,
  errors: ['malformed_request'],
});

/** Writes the same entries to a file. */
export const exportActivityLogs = reportExport({
  path: '/api/v1/activity-logs/exports',
  permission: 'activity-logs-download',
  filters,
  formats: LOG_FORMATS,
});
