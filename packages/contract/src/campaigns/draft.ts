import { z } from 'zod';
import { id, idText, instant } from '../kernel/fields.ts';
import { MAX_COLUMNS } from '../kernel/find-columns.ts';
import { pageQuery, pageReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { MOST_LANGUAGES } from '../templates/language-texts.ts';
import { campaignContent } from './quote.ts';
import { COLUMN_FIELDS, uploadRow } from './recipient-file.ts';

const { shape } = campaignContent;

/** Content of a draft: anything may still be missing, and records that it refers to may no longer exist. */
export const draftContent = z.object({
  name: z.string().max(150).default(''),
  content_type: shape.content_type,
  sender_id: id.nullable().default(null),
  list_ids: z.array(id).max(100).default([]),
  segment_ids: z.array(id).max(20).default([]),
  custom_numbers: shape.custom_numbers,
  blacklist_numbers: shape.blacklist_numbers,
  read_national: shape.read_national,
  file_id: shape.file_id,
  /** Content of the file's columns; it may be incomplete, even without the column of numbers. */
  columns: z.array(z.enum(COLUMN_FIELDS).nullable()).max(MAX_COLUMNS).nullable().default(null),
  content: shape.content,
  /** Texts by language; one may still be empty. */
  language_texts: z
    .array(z.object({ language: z.string().max(60), text: z.string().max(1530) }))
    .max(MOST_LANGUAGES)
    .default([]),
  defaults: shape.defaults,
  skip_default_param: shape.skip_default_param,
  skip_dead: shape.skip_dead,
  flash: shape.flash,
  sms_validity: shape.sms_validity,
  short_links: shape.short_links,
  notify_number: shape.notify_number,
  parameters: shape.parameters,
  /** Time and speed, as that part of the form stores them. */
  schedule: z.record(z.string().max(40), z.json()).default({}),
});

export const draftRow = z.object({
  id,
  name: z.string(),
  /** Version that grows with every change; the next change must send it back. */
  version: z.int(),
  updated_at: instant,
});

const draftReply = oneReply(
  draftRow.extend({
    content: draftContent,
    /** File of recipients, as long as it is stored. */
    file: uploadRow.nullable(),
  }),
);

const path = '/api/v1/campaigns/drafts';
const permission = 'campaigns-create';
const params = z.object({ id: idText });

/** Lists the caller's own drafts, latest first. */
export const listDrafts = operation({
  method: 'GET',
  path,
  permission,
  query: pageQuery(['updated_at', 'name']),
  reply: pageReply(draftRow),
});

export const getDraft = operation({
  method: 'GET',
  path: `${path}/:id`,
  permission,
  params,
  reply: draftReply,
  errors: ['not_found'],
});

/** Creates a draft. A person has at most 100 drafts: the oldest one is deleted. */
export const createDraft = operation({
  method: 'POST',
  path,
  permission,
  body: z.object({ content: draftContent }),
  reply: draftReply,
  status: 201,
});

/** Replaces a draft; `changed_meanwhile` if it is no longer the version that was read. */
export const saveDraft = operation({
  method: 'PUT',
  path: `${path}/:id`,
  permission,
  params,
  body: z.object({ content: draftContent, version: z.int().min(1) }),
  reply: draftReply,
  errors: ['not_found', 'changed_meanwhile'],
});

export const deleteDraft = operation({
  method: 'DELETE',
  path: `${path}/:id`,
  permission,
  params,
  reply: z.object({}),
  errors: ['not_found'],
});

/** Creates a draft with the whole content of a campaign; with its file only if the file is the caller's own. */
export const duplicateCampaign = operation({
  method: 'POST',
  path: '/api/v1/campaigns/:id/duplicate',
  permission,
  params,
  reply: draftReply,
  status: 201,
  errors: ['not_found'],
});
