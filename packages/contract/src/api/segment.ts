import { z } from 'zod';
import { segment } from '../audience/segment.ts';
import { segmentLack, segmentRule } from '../audience/segment-rule.ts';
import { instant } from '../kernel/fields.ts';
import { personText } from '../kernel/personal.ts';
import { publicOperation } from '../kernel/public-operation.ts';
import { idString } from './message.ts';

const params = z.object({ id: idString });

const rule = segmentRule.describe(
  'Tree of groups and conditions. Fields, number lists and campaigns are named by their ids. `not` turns a condition around: it then finds contacts without a value too.',
);

const record = z.object({
  id: idString,
  name: z.string(),
  rule: personText(z.looseObject({})).describe('Rule, as it is written in requests.'),
  explanation: personText(z.string()).describe('Rule as a sentence, in the language of the maker of the key.'),
  lacks: z
    .array(segmentLack)
    .describe('Records that the rule needs and that are gone or not visible. The segment finds nobody then.'),
  created_at: instant,
  updated_at: instant,
});

export const listSegments = publicOperation({
  name: 'listSegments',
  method: 'GET',
  path: '/v1/segments',
  scope: 'contacts:read',
  tag: 'Contacts',
  summary: 'Read segments',
  description: 'The newest first. A test key gets an empty list.',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(40).optional().describe('`next_cursor` of the page before.'),
  }),
  reply: z.object({ data: z.array(record), next_cursor: z.string().nullable(), has_more: z.boolean() }),
  errors: ['cursor_invalid'],
});

export const getSegment = publicOperation({
  name: 'getSegment',
  method: 'GET',
  path: '/v1/segments/:id',
  scope: 'contacts:read',
  tag: 'Contacts',
  summary: 'Read one segment',
  description: 'A test key is answered with `not_found`.',
  params,
  reply: record,
  errors: ['not_found'],
});

export const createSegment = publicOperation({
  name: 'createSegment',
  method: 'POST',
  path: '/v1/segments',
  scope: 'contacts:write',
  tag: 'Contacts',
  summary: 'Add a segment',
  description:
    'A rule that needs a field, number list or campaign that does not exist is refused. A test key is answered with `not_found`.',
  body: z.object({ name: segment.create.shape.name, rule }),
  reply: record,
  errors: ['not_found', 'validation_failed', 'segment_already_exists'],
  example: { name: 'Birthday in 3 days', rule: { match: 'all', rules: [{ on: 'tag', tag: 'vip' }] } },
});

export const changeSegment = publicOperation({
  name: 'changeSegment',
  method: 'POST',
  path: '/v1/segments/:id',
  scope: 'contacts:write',
  tag: 'Contacts',
  summary: 'Change a segment',
  description:
    'What the body does not name stays as it is. Campaigns that wait keep the rule with which they were counted.',
  params,
  body: z.object({ name: segment.create.shape.name.optional(), rule: rule.optional() }),
  reply: record,
  errors: ['not_found', 'validation_failed', 'segment_already_exists'],
  example: { name: 'Regular customers' },
});

export const deleteSegment = publicOperation({
  name: 'deleteSegment',
  method: 'DELETE',
  path: '/v1/segments/:id',
  scope: 'contacts:write',
  tag: 'Contacts',
  summary: 'Delete a segment',
  description: 'Contacts stay. Campaigns that wait keep their recipients.',
  params,
  reply: z.object({ id: idString }),
  errors: ['not_found'],
});

export const countSegmentContacts = publicOperation({
  name: 'countSegmentContacts',
  method: 'GET',
  path: '/v1/segments/:id/count',
  scope: 'contacts:read',
  tag: 'Contacts',
  summary: 'Count the contacts of a segment',
  description: 'The contacts that the rule finds now. It is 0 if `lacks` of the segment is not empty.',
  params,
  reply: z.object({ contacts: z.int() }),
  errors: ['not_found', 'segment_too_large'],
});
