import { z } from 'zod';
import { label } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { idParams } from '../kernel/resource.ts';
import { LOCALES } from '../kernel/scope.ts';
import { STABILITIES } from './change-log.ts';

const PERMISSION = 'documentation-view';
const named = z.object({ id: z.int(), title: z.string() });

/** The documentation's contents as the caller may read it: articles in reading order, and the versions, the newest first. */
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
        /** Names one of the program's own articles, as a rule by the route name of the screen it explains. */
        key: z.string().nullable(),
      }),
    ),
    change_logs: z.array(z.object({ id: z.int(), version: z.string(), stability: z.enum(STABILITIES) })),
  }),
});

/** One article in the caller's language, or in English where it has no text in that. What the caller may not read is not found. */
export const readArticle = operation({
  method: 'GET',
  path: '/api/v1/documentation/articles/:id',
  permission: PERMISSION,
  params: idParams,
  reply: z.object({
    data: named.extend({
      /** Sanitised HTML. */
      description: z.string(),
      /** The language of title and text. */
      locale: z.enum(LOCALES),
      /** The articles it stands in, the outermost first. */
      path: z.array(named),
      previous: named.nullable(),
      next: named.nullable(),
      updated_at: z.iso.datetime({ offset: true }),
    }),
  }),
  errors: ['not_found'],
});

/** Every version with what changed in it, the newest first. */
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

/** The articles that hold the words, the best first, each with the piece of its text that holds them. */
export const searchArticles = operation({
  method: 'GET',
  path: '/api/v1/documentation/search',
  permission: PERMISSION,
  query: z.object({ search: label(100) }),
  reply: z.object({
    data: z.array(
      named.extend({
        /** Plain text; `hit` pieces are what was looked for. */
        excerpt: z.array(z.object({ text: z.string(), hit: z.boolean() })),
      }),
    ),
  }),
});
