import { z } from 'zod';
import { idText, instant, label, msisdn, reference } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { personText } from '../kernel/personal.ts';
import { resource } from '../kernel/resource.ts';
import { segmentLack, segmentNames, segmentRule } from './segment-rule.ts';

const input = z.object({
  corporation_id: reference('corporations'),
  name: label(100),
  rule: segmentRule,
});

/** Rules that choose contacts of a corporation. The contacts are found when they are counted or quoted. */
export const segment = resource({
  name: 'segments',
  row: input.extend({
    rule: personText(segmentRule.clone()),
    corporation_name: z.string(),
    updated_at: instant,
    names: segmentNames,
    /** Records that the rule needs and that the caller does not have. Such a segment finds nobody. */
    lacks: z.array(segmentLack),
  }),
  create: input,
  update: input.pick({ name: true, rule: true }).partial(),
  filters: z.object({ corporation_id: z.coerce.number().int().optional() }),
  sort: ['name', 'created_at', 'updated_at'],
  title: 'name',
  conflicts: { segment_name_key: 'segment_already_exists' },
});

const body = z.object({ corporation_id: reference('corporations'), rule: segmentRule });

/** Counts the contacts that a rule finds now. It stores nothing. */
export const countSegment = operation({
  method: 'POST',
  path: '/api/v1/segments/count',
  permission: 'segments-create',
  body,
  reply: z.object({
    data: z.object({ contacts: z.int(), all: z.int(), names: segmentNames, lacks: z.array(segmentLack) }),
  }),
  errors: ['segment_too_large'],
});

/** Contacts of a sample. */
export const SEGMENT_SAMPLE = 10;

/** Returns some contacts that a rule finds now. */
export const sampleSegment = operation({
  method: 'POST',
  path: '/api/v1/segments/sample',
  permission: 'segments-create',
  body,
  reply: z.object({
    data: z.array(
      z.object({
        id: z.int(),
        number: msisdn,
        name: personText(z.string().nullable()),
        tags: personText(z.array(z.string())),
      }),
    ),
  }),
  errors: ['segment_too_large'],
});

/** Returns how many drafts and waiting campaigns use a segment. */
export const segmentUse = operation({
  method: 'GET',
  path: '/api/v1/segments/:id/use',
  permission: 'segments-index',
  params: z.object({ id: idText }),
  reply: z.object({ data: z.object({ drafts: z.int(), campaigns: z.int() }) }),
  errors: ['not_found'],
});
