import { z } from 'zod';
import { idText, instant } from '../kernel/fields.ts';
import { FILE_FORMATS } from '../kernel/file-format.ts';
import { cursorQuery, cursorReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { personNumber, personText } from '../kernel/personal.ts';
import { oneReply } from '../kernel/resource.ts';
import { downloadRow } from '../reports/transaction.ts';

/**
 * Reasons why a visit of a short link is not counted: the visitor names itself as a program, names no browser, asks only
 * for the head, or loads the page in advance.
 */
export const NOT_COUNTED = ['agent', 'no_agent', 'head', 'prefetch'] as const;
export type NotCounted = (typeof NOT_COUNTED)[number];

/** Results of one link of a campaign. */
const linkRow = z.object({
  /** Place of the link in its text, from 1; null for links of earlier campaigns with an address for each recipient. */
  link: z.int().nullable(),
  /** Address, or the beginning that the addresses of all recipients share; null if the caller may not read texts. */
  address: personText(z.string()).nullable(),
  /** True if recipients have different addresses. */
  varies: z.boolean(),
  /** Recipients who followed the link. */
  people: z.int(),
  /** Visits in all; a second visit within ten seconds is the same one. */
  clicks: z.int(),
  /** Visits of programs, which are not counted. */
  programs: z.int(),
});

/** Conversions that programs reported, by name, link and currency. */
const conversionRow = z.object({
  name: z.string(),
  /** Place of the link that led to them; null if none did. */
  link: z.int().nullable(),
  count: z.int(),
  /** Sum of their values; null if they have none. */
  value: z.string().nullable(),
  currency: z.string().nullable(),
});

const params = z.object({ id: idText });

/** Returns the results of a campaign by link, in the order of the text. */
export const campaignLinks = operation({
  method: 'GET',
  path: '/api/v1/campaigns/:id/links',
  permission: 'campaigns-show',
  params,
  reply: z.object({
    data: z.object({
      links: z.array(linkRow),
      /** Visits that are not counted, by reason; reasons without any are left out. */
      not_counted: z.array(z.object({ reason: z.enum(NOT_COUNTED), visits: z.int() })),
      conversions: z.array(conversionRow),
      /** False if the corporation counts clicks without the numbers of people. */
      named: z.boolean(),
      /** Days after which links end; null for never. */
      days: z.int().nullable(),
    }),
  }),
  errors: ['not_found'],
});

/** A person who followed a link of a campaign. */
export const clickRow = z.object({
  id: z.int(),
  number: personNumber(z.string()),
  /** Place of the link in its text; null as in the results. */
  link: z.int().nullable(),
  clicks: z.int(),
  first_at: instant,
  last_at: instant,
});

/**
 * Lists who followed the links of a campaign, the newest first; nobody while the corporation does not name clicks, and
 * without people whose numbers were removed.
 */
export const campaignClicks = operation({
  method: 'GET',
  path: '/api/v1/campaigns/:id/clicks',
  permission: 'campaigns-show',
  params,
  query: cursorQuery.extend({
    link: z.coerce.number().int().min(1).max(200).optional(),
    search: z.string().trim().max(40).optional(),
  }),
  reply: cursorReply(clickRow),
  errors: ['not_found'],
});

/** Writes who followed the links of a campaign to a file, which appears in the bell. Numbers are masked as in the list. */
export const exportClicks = operation({
  method: 'POST',
  path: '/api/v1/campaigns/:id/clicks/exports',
  permission: 'campaign-history-download',
  params,
  body: z.object({ format: z.enum(FILE_FORMATS).default('csv') }),
  reply: oneReply(downloadRow),
  status: 202,
  errors: ['not_found'],
});
