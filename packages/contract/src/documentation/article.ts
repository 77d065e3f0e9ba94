import { z } from 'zod';
import { label, reference } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { idParams, resource } from '../kernel/resource.ts';
import { LOCALES, type Locale } from '../kernel/scope.ts';

/** Languages other than English in which an article can have a text. */
export const TRANSLATED = LOCALES.filter((locale) => locale !== 'en') as [Translated, ...Translated[]];
type Translated = Exclude<Locale, 'en'>;

/** Maximum depth of articles: part, chapter, page. */
export const ARTICLE_DEPTH = 3;

/** HTML from the editor; everything that runs or loads something is removed before it is stored. */
export const richText = z.string().max(300_000);

const words = z.object({ title: label(200), description: richText });
/** Texts of an article by language; null removes one. */
const translations = z.partialRecord(z.enum(TRANSLATED), words.nullable());

const input = z.object({
  title: label(200),
  /** Position among its siblings, the smallest first. */
  position: z.int().min(0).max(10_000),
  /** Whether it can contain other articles. */
  is_parent: z.boolean(),
  parent_id: reference('articles').nullable(),
  /** Permission that a reader must hold; null for everybody who reads the documentation. */
  permission_id: reference('permissions').nullable(),
});

/** An article of the documentation, without its text; `articleTexts` returns that. */
export const article = resource({
  name: 'articles',
  row: input.extend({
    /** Number of articles that contain it, one inside the other. */
    depth: z.int(),
    parent_title: z.string().nullable(),
    permission_name: z.string().nullable(),
    /** Languages other than English in which it has a text. */
    locales: z.array(z.enum(TRANSLATED)),
    /** True if the article came with the program. */
    built_in: z.boolean(),
    /** True if its text differs from the program's; then updates of the program do not change it. */
    edited: z.boolean(),
    /** Marks that change when the texts change; the row does not show the texts. */
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
  groups: {
    text: ['title', 'description', 'translations'],
    place: ['parent_id', 'position', 'is_parent', 'permission_id'],
  },
  conflicts: { article_parent_id_title_key: 'article_already_exists' },
  unshown: { description: 'description_mark', translations: 'translations_mark' },
});

/** Returns the texts of an article, for people who edit it. */
export const articleTexts = operation({
  method: 'GET',
  path: '/api/v1/articles/:id/texts',
  permission: article.permissions.show,
  params: idParams,
  reply: z.object({ data: z.object({ description: z.string(), translations }) }),
  errors: ['not_found'],
});

/** Limits of a picture: it must have fewer bytes than this, and each side at most this number of pixels. */
export const ARTICLE_IMAGE_BYTES = 2 * 1024 * 1024;
export const ARTICLE_IMAGE_PIXELS = 4096;

/** Uploads a PNG, JPEG or WebP for an article and returns its address. */
export const uploadArticleImage = operation({
  method: 'POST',
  path: '/api/v1/articles/images',
  permission: article.permissions.edit,
  upload: true,
  reply: z.object({ path: z.string() }),
  errors: ['image_unusable', 'payload_too_large'],
});

/** Returns a picture by an address that nobody can guess. */
export const articleImage = operation({
  method: 'GET',
  path: '/api/v1/article-images/:key',
  session: 'public',
  permission: null,
  params: z.object({ key: z.string().regex(/^[A-Za-z0-9_-]{32}$/) }),
  reply: z.string(),
  errors: ['not_found'],
});
