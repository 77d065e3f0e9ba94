import { z } from 'zod';
import { label } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { idParams } from '../kernel/resource.ts';
import { LOCALES } from '../kernel/scope.ts';
import { STABILITIES } from './change-log.ts';

const PERMISSION = 'documentation-view';
const named = z.object({ id: z.int(), title: z.string() });

/** Lists the contents that the caller may read: articles in reading order, and the versions, newest first. */
export const contents = operation({
  method: 'GET',
  path: '/api/v1/documentation',
  permission: PERMISSION,
  reply: z.object({
    articles: z.array(
      named.extend({
        parent_id: z.int().nullable(),
        depth: z.int(),
        is_parent: z.boolean(),
        /** Key of one of the program's own articles, usually the route name of the screen that it explains. */
        key: z.string().nullable(),
      }),
    ),
    change_logs: z.array(z.object({ id: z.int(), version: z.string(), stability: z.enum(STABILITIES) })),
  }),
});

/**
 * Returns an article in the caller's language, or in English if it has no text in that; `not_found` if it may not be
 * read.
 */
export const readArticle = operation({
  method: 'GET',
  path: '/api/v1/documentation/articles/:id',
  permission: PERMISSION,
  params: idParams,
  reply: z.object({
    data: named.extend({
      /** Sanitized HTML. */
      description: z.string(),
      /** Language of title and text. */
      locale: z.enum(LOCALES),
      /** Articles that contain it, outermost first. */
      path: z.array(named),
      previous: named.nullable(),
      next: named.nullable(),
      updated_at: z.iso.datetime({ offset: true }),
    }),
  }),
  errors: ['not_found'],
});

/** Lists every version with its changes, newest first. */
export const readChangeLogs = operation({
  method: 'GET',
  path: '/api/v1/documentation/change-logs',
  permission: PERMISSION,
  reply: z.object({
    data: z.array(
      z.object({
        id: z.int(),
        version: z.string(),
        stability: z.enum(STABILITIES),
        description: z.string(),
        updated_at: z.iso.datetime({ offset: true }),
      }),
    ),
  }),
});

/** Finds articles with the words, best match first, each with the part of its text that has them. */
export const searchArticles = operation({
  method: 'GET',
  path: '/api/v1/documentation/search',
  permission: PERMISSION,
  query: z.object({ search: label(100) }),
  reply: z.object({
    data: z.array(
      named.extend({
        /** Plain text; `hit` pieces match the search. */
        excerpt: z.array(z.object({ text: z.string(), hit: z.boolean() })),
      }),
    ),
  }),
});
