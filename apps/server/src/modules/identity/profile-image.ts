import { randomBytes } from 'node:crypto';
import { removeProfileImage, uploadProfileImage, userImage } from '@heliograph/contract/identity/session';
import { audit } from '#platform/access/audit';
import { BusinessError, tooLarge } from '#platform/errors';
import { imageHead } from '#platform/files/image';
import { readSmall, sendImage } from '#platform/files/stored-image';
import { type App, mount, mountUpload, parseCall } from '#platform/http/http';
import { translate } from '#platform/text/i18n';
import type { Identity } from './session-tokens.ts';

const LIMIT_BYTES = 2 * 1024 * 1024;
const LIMIT_PIXELS = 4096;

/** Address of a picture by its key. */
export const imagePath = (key: string) => userImage.path.replace(':key', key);

/** Mounts the upload of the caller's own picture and the address of pictures. */
export function profileImageRoutes(app: App, { authDb }: Identity): void {
  mountUpload(app, uploadProfileImage, async (base, { file }, run) => {
    const data = await readSmall(file, LIMIT_BYTES);
    if (!data) throw tooLarge(LIMIT_BYTES);
    const head = imageHead(data);
    if (!head || head.width > LIMIT_PIXELS || head.height > LIMIT_PIXELS) throw new BusinessError('image_unusable');
    return run(async (ctx) => {
      const user_id = ctx.caller.user_id;
      // Each picture gets a new key: the old address shows the old picture, or none.
      const row = {
        key: randomBytes(24).toString('base64url'),
        type: head.type,
        data,
        created_at: base.clock.now().toISOString(),
      };
      await ctx.db.deleteFrom('user_image').where('user_id', '=', user_id).execute();
      await ctx.db
        .insertInto('user_image')
        .values({ user_id, ...row })
        .execute();
      await audit(ctx, {
        name: 'profile',
        description: 'picture changed',
        subject_type: 'users',
        subject_id: user_id,
        after: { type: head.type, width: head.width, height: head.height, bytes: data.length },
      });
      return { image_path: imagePath(row.key), message: translate(ctx.locale, 'profile.image_saved') };
    });
  });
  mount(app, removeProfileImage, async (ctx) => {
    const user_id = ctx.caller.user_id;
    const { numDeletedRows } = await ctx.db
      .deleteFrom('user_image')
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow();
    if (numDeletedRows > 0n)
      await audit(ctx, {
        name: 'profile',
        description: 'picture removed',
        subject_type: 'users',
        subject_id: user_id,
      });
    return { message: translate(ctx.locale, 'profile.image_removed') };
  });
  app.server.route({
    method: userImage.method,
    url: userImage.path,
    handler: async (request, reply) => {
      const { params } = parseCall(userImage, request);
      const image = await authDb
        .selectFrom('user_image')
        .select(['type', 'data'])
        .where('key', '=', params.key)
        .executeTakeFirst();
      if (!image) throw new BusinessError('not_found');
      return sendImage(reply, image, 'private');
    },
  });
}
