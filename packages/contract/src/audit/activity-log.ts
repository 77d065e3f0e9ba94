import { z } from 'zod';
import { day, instant } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { reportExport } from '../reports/report-file.ts';

const filters = z.object({
  /** The area, such as `users`. */
  name: z.string().trim().max(60).optional(),
  description: z.string().trim().max(100).optional(),
  subject_type: z.string().trim().max(60).optional(),
  subject_id: z.coerce.number().int().optional(),
  causer_id: z.coerce.number().int().optional(),
  corporation_id: z.coerce.number().int().optional(),
  /** The first and the last day, as 2026-02-28 in the reader's time zone. */
  from: day.optional(),
  to: day.optional(),
  search: z.string().trim().max(100).optional(),
});

/** Who changed what, the newest first. */
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
    /** The fields that changed, as they were and as they became; secrets are never among them. */
    properties: z.object({
      before: z.record(z.string(), z.unknown()).nullable(),
      after: z.record(z.string(), z.unknown()).nullable(),
    }),
    /** What was done, in the reader's language. */
    action: z.string(),
    /** The area, what the entry is about, and the fields that changed, in the reader's language. */
    area: z.string(),
    subject: z.string(),
    /** Currency of its amounts; null for the platform's own records. */
    currency: z.string().nullable(),
    changes: z.array(
      z.object({
        field: z.string(),
        label: z.string(),
        show: z.enum(['text', 'money', 'instant', 'date', 'yes-no']),
        before: z.string().nullable(),
        after: z.string().nullable(),
      }),
    ),
    created_at: instant,
  }),
  filters,
  errors: ['malformed_request'],
});

/** The same as a file. */
export const exportActivityLogs = reportExport({
  path: '/api/v1/activity-logs/exports',
  permission: 'activity-logs-download',
  filters,
});
