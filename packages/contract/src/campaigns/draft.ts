import { z } from 'zod';
import { id, idText, instant } from '../kernel/fields.ts';
import { MAX_COLUMNS } from '../kernel/find-columns.ts';
import { pageQuery, pageReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { campaignContent } from './quote.ts';
import { COLUMN_FIELDS, uploadRow } from './recipient-file.ts';

const { shape } = campaignContent;

/** What somebody has begun to write: anything may still be missing, and what it refers to may be gone meanwhile. */
export const draftContent = z.object({
  name: z.string().max(150).default(''),
  content_type: shape.content_type,
  sender_id: id.nullable().default(null),
  list_ids: z.array(id).max(100).default([]),
  custom_numbers: shape.custom_numbers,
  blacklist_numbers: shape.blacklist_numbers,
  read_national: shape.read_national,
  file_id: shape.file_id,
  /** Not yet whole, perhaps: the number may be missing. */
  columns: z.array(z.enum(COLUMN_FIELDS).nullable()).max(MAX_COLUMNS).nullable().default(null),
  content: shape.content,
  defaults: shape.defaults,
  skip_default_param: shape.skip_default_param,
  flash: shape.flash,
  sms_validity: shape.sms_validity,
  short_links: shape.short_links,
  notify_number: shape.notify_number,
  /** When and how fast, as its own part of the form keeps it. */
  schedule: z.record(z.string().max(40), z.json()).default({}),
});

export const draftRow = z.object({
  id,
  name: z.string(),
  /** Grows with every change; to be given back with the next. */
  version: z.int(),
  updated_at: instant,
});

const draftReply = oneReply(
  draftRow.extend({
    content: draftContent,
    /** The file, as long as it is kept. */
    file: uploadRow.nullable(),
  }),
);

const path = '/api/v1/campaigns/drafts';
const permission = 'campaigns-create';
const params = z.object({ id: idText });

/** The caller's own drafts, the latest first. */
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

/** Begins a draft. A person keeps at most a hundred: the oldest goes. */
export const createDraft = operation({
  method: 'POST',
  path,
  permission,
  body: z.object({ content: draftContent }),
  reply: draftReply,
  status: 201,
});

/** Puts a draft in place of what it was; `changed_meanwhile` where it is no longer the version that was read. */
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

/** Begins a draft with everything a campaign was made of; its file only where it is the caller's own. */
export const duplicateCampaign = operation({
  method: 'POST',
  path: '/api/v1/campaigns/:id/duplicate',
  permission,
  params,
  reply: draftReply,
  status: 201,
  errors: ['not_found'],
});
