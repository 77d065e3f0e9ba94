import { randomBytes } from 'node:crypto';
import {
  TEAM_IMAGE_BYTES,
  TEAM_IMAGE_CALLS,
  TEAM_IMAGE_KINDS,
  TEAM_IMAGES,
  type TeamImage,
  teamImage,
} from '@heliograph/contract/organizations/team';
import type { Kysely } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError, fieldError } from '#platform/errors';
import { type ImageHead, imageHead } from '#platform/files/image';
import { readSmall, sendImage } from '#platform/files/stored-image';
import { type App, mount, mountUpload, parseCall } from '#platform/http/http';
import { translate } from '#platform/text/i18n';
import { findTeam, type TeamRow } from './team.ts';

const EXTENSION = /\.(png|jpe?g|webp)$/i;

/**
 * Checks a picture; throws a 422 if its name, its first bytes or its size do not fit its kind. Answers its type and
 * size.
 */
function checkImage(kind: TeamImage, fileName: string, data: Buffer): ImageHead {
  const head = imageHead(data);
  if (!head || !EXTENSION.test(fileName)) throw fieldError('file', 'image_type');
  const { width, height } = TEAM_IMAGES[kind];
  if (head.width !== width || head.height !== height)
    throw fieldError('file', 'image_pixels', { width, height, found_width: head.width, found_height: head.height });
  return head;
}

const logImage = (ctx: Context, row: TeamRow, kind: TeamImage, description: string, after: object | null) =>
  audit(ctx, {
    name: 'teams',
    description,
    subject_type: 'teams',
    subject_id: row.id,
    corporation_id: row.corporation_id,
    after: { kind, ...after },
  });

async function keepImage(ctx: Context, row: TeamRow, kind: TeamImage, data: Buffer, head: ImageHead) {
  const { type, width, height } = head;
  // Each picture gets a new key: browsers cache the old address forever.
  const image = { key: randomBytes(24).toString('base64url'), type, data, created_at: ctx.clock.now().toISOString() };
  await ctx.db
    .insertInto('reseller_image')
    .values({ reseller_id: row.id, kind, ...image })
    .onConflict((c) => c.columns(['reseller_id', 'kind']).doUpdateSet(image))
    .execute();
  await logImage(ctx, row, kind, 'picture changed', { type, width, height, bytes: data.length });
  return { data: await findTeam(ctx, row.id), message: translate(ctx.locale, 'teams.image_saved') };
}

/** Mounts a reseller's pictures, and their addresses. */
export function teamImageRoutes(app: App, authDb: Kysely<Database>): void {
  for (const kind of TEAM_IMAGE_KINDS) {
    mountUpload(app, TEAM_IMAGE_CALLS[kind].upload, async (_base, { params, file }, run) => {
      // The file is read before any answer, or a browser would not receive the answer.
      const read = await readSmall(file, TEAM_IMAGE_BYTES);
      return run(async (ctx) => {
        const row = await findTeam(ctx, params.id);
        if (!read) throw fieldError('file', 'image_bytes');
        return keepImage(ctx, row, kind, read, checkImage(kind, file.file_name, read));
      });
    });
    mount(app, TEAM_IMAGE_CALLS[kind].remove, async (ctx, { params }) => {
      const row = await findTeam(ctx, params.id);
      const { numDeletedRows } = await ctx.db
        .deleteFrom('reseller_image')
        .where('reseller_id', '=', row.id)
        .where('kind', '=', kind)
        .executeTakeFirstOrThrow();
      if (numDeletedRows > 0n) await logImage(ctx, row, kind, 'picture removed', null);
      return { data: await findTeam(ctx, row.id), message: translate(ctx.locale, 'teams.image_removed') };
    });
  }
  app.server.route({
    method: teamImage.method,
    url: teamImage.path,
    handler: async (request, reply) => {
      const { params } = parseCall(teamImage, request);
      const image = await authDb
        .selectFrom('reseller_image')
        .select(['type', 'data'])
        .where('key', '=', params.key)
        .executeTakeFirst();
      if (!image) throw new BusinessError('not_found');
      return sendImage(reply, image, 'public');
    },
  });
}
