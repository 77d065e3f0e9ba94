import { z } from 'zod';
import { label, reference } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { idParams, resource } from '../kernel/resource.ts';

/** Languages beside English that an article may have a text in. */
export const TRANSLATED = ['cn', 'zh', 'fp'] as const;

/** How deep articles stand: a part, a chapter, a page. */
export const ARTICLE_DEPTH = 3;

/** HTML as the editor writes it; whatever runs or loads something is taken out before it is kept. */
export const richText = z.string().max(300_000);

const words = z.object({ title: label(200), description: richText });
/** An article's text by language; null takes it away. */
const translations = z.partialRecord(z.enum(TRANSLATED), words.nullable());

const input = z.object({
  title: label(200),
  /** Its place among its siblings, the smallest first. */
  position: z.int().min(0).max(10_000),
  /** Whether other articles may stand in it. */
  is_parent: z.boolean(),
  parent_id: reference('articles').nullable(),
  /** The right that a reader must hold; null for everybody who reads the documentation. */
  permission_id: reference('permissions').nullable(),
});

/** An article of the documentation, without its text, which `articleTexts` answers. */
export const article = resource({
  name: 'articles',
  row: input.extend({
    /** How many articles it stands in. */
    depth: z.int(),
    parent_title: z.string().nullable(),
    permission_name: z.string().nullable(),
    /** The languages beside English that it has a text in. */
    locales: z.array(z.enum(TRANSLATED)),
    /** Came with the program. */
    built_in: z.boolean(),
    /** Says something else than the program would, and so does not follow it. */
    edited: z.boolean(),
    /** Differ once the texts, which the row does not show, were changed. */
    description_mark: z.string(),
    translations_mark: z.string().nullable(),
    updated_at: z.iso.datetime({ offset: true }),
  }),
  create: input.extend({
    position: input.shape.position.default(1000),
    is_parent: z.boolean().default(false),
    parent_id: input.shape.parent_id.default(null),
    permission_id: input.shape.permission_id.default(null),
    description: richText.default(''),
    translations: translations.default({}),
  }),
  update: input.partial().extend({ description: richText.optional(), translations: translations.optional() }),
  filters: z.object({
    parent_id: z.coerce.number().int().optional(),
    is_parent: z.stringbool().optional(),
    built_in: z.stringbool().optional(),
    edited: z.stringbool().optional(),
  }),
  sort: ['position', 'title', 'depth', 'parent_title', 'updated_at', 'created_at'],
  title: 'title',
  conflicts: { article_parent_id_title_key: 'article_already_exists' },
  unshown: { description: 'description_mark', translations: 'translations_mark' },
});

/** An article's texts as they are written, for who edits it. */
export const articleTexts = operation({
  method: 'GET',
  path: '/api/v1/articles/:id/texts',
  permission: article.permissions.show,
  params: idParams,
  reply: z.object({ data: z.object({ description: z.string(), translations }) }),
  errors: ['not_found'],
});

/** A picture has fewer bytes than this, and neither side is longer than so many pixels. */
export const ARTICLE_IMAGE_BYTES = 2 * 1024 * 1024;
export const ARTICLE_IMAGE_PIXELS = 4096;

/** Takes a PNG, JPEG or WebP for an article and answers the address it is shown from. */
export const uploadArticleImage = operation({
  method: 'POST',
  path: '/api/v1/articles/images',
  permission: article.permissions.edit,
  upload: true,
  reply: z.object({ path: z.string() }),
  errors: ['image_unusable', 'payload_too_large'],
});

/** A picture by an address that nobody can guess. */
export const articleImage = operation({
  method: 'GET',
  path: '/api/v1/article-images/:key',
  session: 'public',
  permission: null,
  params: z.object({ key: z.string().regex(/^[A-Za-z0-9_-]{32}$/) }),
  reply: z.string(),
  errors: ['not_found'],
});
