import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { endPushDevice, keepPushDevice, type PushKind, pushDevice } from '@heliograph/contract/notifications/push';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Database } from '#platform/database/db';
import { type App, mount } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { callOnce } from '#platform/outbound/agent';
import { encryptPush, newPushKey, type PushKey, pushAuthorization } from '#platform/outbound/web-push';
import type { sendPushJob } from '#platform/person/push';
import { open, seal, secretKey } from '#platform/process/seal';
import { translate } from '#platform/text/i18n';

const KEY_CONTEXT = 'push_key.private_key_sealed';
/** Seconds for which a push service keeps a notice for a device that is off. */
const KEPT_SECONDS = 86_400;
const ANSWER_BYTES = 1_024;
/** Statuses of an endpoint that its browser has given up. */
const GONE: readonly (number | null)[] = [404, 410];
/** Statuses for which the same notice may be accepted later; null if nobody answered. */
const LATER = (status: number | null) => status === null || status === 429 || status >= 500;

/** Path of the screen that a notice opens. */
const SCREEN: Readonly<Record<string, (id: number | null) => string>> = {
  reply: () => '/inbox',
  pending: () => '/pending-campaigns',
  link_down: (id) => `/links/${id}`,
  link_up: (id) => `/links/${id}`,
};
const screenOf = (what: string, id: number | null) => SCREEN[what]?.(id) ?? `/campaign-history/${id}`;

type Keeper = Pick<WorkerContext, 'database' | 'config'>;

/** Makes the key of this installation if it has none. Several workers may try; the first one's stays. */
export async function ensurePushKey({ database, config }: Keeper): Promise<void> {
  if (await database.selectFrom('push_key').select('id').executeTakeFirst()) return;
  const { public_key, private_key } = newPushKey();
  const private_key_sealed = seal(secretKey(config), private_key, KEY_CONTEXT);
  await database
    .insertInto('push_key')
    .values({ public_key, private_key_sealed })
    .onConflict((on) => on.doNothing())
    .execute();
}

async function readPushKey({ database, config }: Keeper): Promise<PushKey> {
  await ensurePushKey({ database, config });
  const { public_key, private_key_sealed } = await database
    .selectFrom('push_key')
    .select(['public_key', 'private_key_sealed'])
    .executeTakeFirstOrThrow();
  return { public_key, private_key: open(secretKey(config), private_key_sealed, KEY_CONTEXT) };
}

/** Mounts the calls for notices on a device. */
export function pushRoutes(app: App): void {
  mount(app, pushDevice, async ({ db, caller }) => {
    const key = await db.selectFrom('push_key').select('public_key').executeTakeFirst();
    const device = await db
      .selectFrom('push_subscription')
      .select('kinds')
      .where('session_id', '=', caller.session_id)
      .executeTakeFirst();
    return { public_key: key?.public_key ?? null, kinds: (device?.kinds as PushKind[] | undefined) ?? null };
  });
  mount(app, keepPushDevice, async (ctx, { body: { endpoint, keys, kinds } }) => {
    const device = { endpoint, p256dh: keys.p256dh, auth: keys.auth, kinds };
    await ctx.db
      .insertInto('push_subscription')
      .values({ user_id: ctx.caller.user_id, session_id: ctx.caller.session_id, ...device })
      .onConflict((on) => on.column('session_id').doUpdateSet(device))
      .execute();
    return { message: translate(ctx.locale, 'push.on') };
  });
  mount(app, endPushDevice, async (ctx) => {
    await ctx.db.deleteFrom('push_subscription').where('session_id', '=', ctx.caller.session_id).execute();
    return { message: translate(ctx.locale, 'push.off') };
  });
}

/** Reads the name of the record that a notice is about. */
async function nameOf(db: Kysely<Database>, what: string, id: number | null): Promise<string> {
  if (id === null) return '';
  const table = what.startsWith('link_') ? 'link' : 'campaign';
  return (await db.selectFrom(table).select('name').where('id', '=', id).executeTakeFirst())?.name ?? String(id);
}

/**
 * Sends one notice to one device, in the person's language. Forgets the device if its browser has given it up. Throws if the
 * push service may take the notice later.
 */
export async function sendPush(
  { database, config, clock, log }: Pick<WorkerContext, 'database' | 'config' | 'clock' | 'log'>,
  { push_subscription_id, what, id }: z.output<(typeof sendPushJob)['data']>,
): Promise<void> {
  const device = await database
    .selectFrom('push_subscription as p')
    .innerJoin('session as s', 's.id', 'p.session_id')
    .innerJoin('user_account as u', 'u.id', 'p.user_id')
    .select(['p.endpoint', 'p.p256dh', 'p.auth', 'u.preferred_language', 'u.corporation_id'])
    .where('p.id', '=', push_subscription_id)
    .where('s.ended_at', 'is', null)
    .where('u.enabled', '=', true)
    .executeTakeFirst();
  if (!device) return;
  const key = await readPushKey({ database, config });
  const brand = await brandOf(database, config, device.corporation_id);
  const text = translate(device.preferred_language as Locale, keyIn('push_notice', what), {
    name: await nameOf(database, what, id),
  });
  // A later notice of the same thing replaces the earlier one on the device.
  const tag = id === null ? what : `${what}-${id}`;
  const notice = { title: brand.app, text, url: screenOf(what, id), tag };
  const { endpoint } = device;
  const { status, fault } = await callOnce(
    config,
    {
      method: 'POST',
      url: endpoint,
      headers: {
        authorization: pushAuthorization(key, endpoint, `mailto:${addressIn(config.MAIL_FROM)}`, clock.now()),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(KEPT_SECONDS),
        topic: tag.replace(/[^\w-]/g, '').slice(-32),
      },
      body: encryptPush(Buffer.from(JSON.stringify(notice)), device),
    },
    ANSWER_BYTES,
  );
  if (!fault) return;
  if (GONE.includes(status)) {
    await database.deleteFrom('push_subscription').where('id', '=', push_subscription_id).execute();
    return;
  }
  log.warn({ push_subscription_id, status, fault }, 'notice not sent to a device');
  if (LATER(status)) throw new Error(`the push service did not take the notice: ${fault} ${status ?? ''}`.trim());
}

/** Returns the address in a sender such as `Name <name@example.com>`. */
const addressIn = (from: string): string => /<([^>]+)>/.exec(from)?.[1] ?? from;
