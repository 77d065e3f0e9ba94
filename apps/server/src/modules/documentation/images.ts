import { randomBytes } from 'node:crypto';
import {
  ARTICLE_IMAGE_BYTES,
  ARTICLE_IMAGE_PIXELS,
  articleImage,
  uploadArticleImage,
} from '@heliograph/contract/documentation/article';
import { type Kysely, sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { type Context, requirePlatform } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError, tooLarge } from '#platform/errors';
import { imageHead } from '#platform/files/image';
import { readSmall, sendImage } from '#platform/files/stored-image';
import { type App, mountUpload, parseCall } from '#platform/http/http';

/** Time for which a picture may wait until the text that shows it is saved. */
const WAITS = sql`interval '1 day'`;

/** Removes pictures that no text shows any more. */
export async function removeUnusedImages({ db }: Context): Promise<void> {
  await sql`DELETE FROM article_image i WHERE created_at < now() - ${WAITS}
    AND NOT EXISTS (SELECT FROM article a WHERE strpos(a.description, i.key) > 0)
    AND NOT EXISTS (SELECT FROM article_translation t WHERE strpos(t.description, i.key) > 0)
    AND NOT EXISTS (SELECT FROM change_log c WHERE strpos(c.description, i.key) > 0)`.execute(db);
}

/** Mounts the upload of pictures and their address; `authDb` answers everybody who has the address. */
export function articleImageRoutes(app: App, authDb: Kysely<Database>): void {
  mountUpload(app, uploadArticleImage, async (base, { file }, run) => {
    // The file is read before any answer, or a browser would not receive the answer.
    const data = await readSmall(file, ARTICLE_IMAGE_BYTES);
    requirePlatform(base.caller);
    if (!data) throw tooLarge(ARTICLE_IMAGE_BYTES);
    const head = imageHead(data);
    if (!head || head.width > ARTICLE_IMAGE_PIXELS || head.height > ARTICLE_IMAGE_PIXELS)
      throw new BusinessError('image_unusable');
    const { type, width, height } = head;
    return run(async (ctx) => {
      const key = randomBytes(24).toString('base64url');
      await ctx.db
        .insertInto('article_image')
        .values({ key, type, data, created_at: ctx.clock.now().toISOString() })
        .execute();
      await audit(ctx, {
        name: 'articles',
        description: 'picture added',
        subject_type: 'articles',
        subject_id: null,
        after: { type, width, height, bytes: data.length },
      });
      return { path: articleImage.path.replace(':key', key) };
    });
  });
  app.server.route({
    method: articleImage.method,
    url: articleImage.path,
    handler: async (request, reply) => {
      const { params } = parseCall(articleImage, request);
      const image = await authDb
        .selectFrom('article_image')
        .select(['type', 'data'])
        .where('key', '=', params.key)
        .executeTakeFirst();
      if (!image) throw new BusinessError('not_found');
      return sendImage(reply, image, 'private');
    },
  });
}
