import { z } from 'zod';
import { id, idText, instant, label } from './fields.ts';
import { FILE_FORMATS } from './file-format.ts';
import { operation } from './operation.ts';
import { doneReply, oneReply } from './resource.ts';
import { type MailedReport, SCREENS } from './screen-list.ts';

/** Reports that can be sent by mail: for yesterday, for the last seven days, or for the last month. */
export const SENT_REPORTS = SCREENS.filter(({ mailed }) => mailed).map(({ path }) => path) as MailedReport[];
export const SEND_EVERY = ['day', 'week', 'month'] as const;

const sending = {
  /** Interval at which the file is sent by mail; null for never. */
  every: z.enum(SEND_EVERY).nullable(),
  format: z.enum(FILE_FORMATS),
  /** Hour of the day, in the person's own time zone. */
  hour: z.int().min(0).max(23),
};

export const savedViewRow = z.object({
  id,
  /** Path of the screen. */
  list: z.string(),
  name: z.string(),
  /** Parameters of the screen's address: filters, columns, order. */
  query: z.record(z.string(), z.string()),
  ...sending,
  next_at: instant.nullable(),
  /** Names of filters that the report can no longer use, such as those of deleted records. */
  unusable: z.array(z.string()),
});

const list = z
  .string()
  .max(60)
  .regex(/^[a-z0-9-]+$/, { error: 'invalid' });
const path = '/api/v1/saved-views';
const params = z.object({ id: idText });

/** Lists the caller's own views of a list, by name. */
export const savedViews = operation({
  method: 'GET',
  path,
  permission: null,
  query: z.object({ list }),
  reply: z.object({ data: z.array(savedViewRow) }),
});

/** Saves a view; it replaces one with the same name. A person has at most 100 views: the oldest one is deleted. */
export const saveView = operation({
  method: 'POST',
  path,
  permission: null,
  body: z.object({
    list,
    name: label(60),
    query: z
      .record(z.string().max(40), z.string().max(300))
      .refine((query) => Object.keys(query).length <= 40, { error: 'invalid' }),
  }),
  reply: oneReply(savedViewRow),
  status: 201,
});

/** Sets how often a report's view is sent by mail; refused if the caller may not have its file. */
export const sendView = operation({
  method: 'PATCH',
  path: `${path}/:id`,
  permission: null,
  params,
  body: z.object(sending),
  reply: oneReply(savedViewRow),
  errors: ['not_found', 'forbidden'],
});

export const deleteView = operation({
  method: 'DELETE',
  path: `${path}/:id`,
  permission: null,
  params,
  reply: doneReply,
  errors: ['not_found'],
});
