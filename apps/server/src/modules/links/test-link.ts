import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { testBind } from '@heliograph/contract/links/link';
import { sql } from 'kysely';
import { passwordContext, tryBind } from '#modules/delivery';
import { audit } from '#platform/access/audit';
import { type Context, requirePlatform } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { open, secretKey } from '#platform/process/seal';

/** Tries settings against the carrier, with the given password or else the saved link's own. */
export async function testLink(
  base: Pick<Context, 'config'>,
  { body }: { body: BodyOf<typeof testBind> },
  run: <R>(work: (ctx: Context) => Promise<R>) => Promise<R>,
): Promise<ReplyOf<typeof testBind>> {
  const { link_id, password, ...settings } = body;
  const saved = await run(async (ctx) => {
    // The test connects from here to any address that the caller names.
    requirePlatform(ctx.caller);
    // Every try to bind is recorded.
    await audit(ctx, {
      name: 'links',
      description: 'test-bind',
      subject_type: 'links',
      subject_id: link_id,
      after: { host: settings.host, port: settings.port, system_id: settings.system_id },
    });
    if (link_id === null) return '';
    const { rows } = await sql<{ sealed: string | null; host: string; port: number; system_id: string }>`
      SELECT link_password_sealed(${link_id}) AS sealed, host, port, system_id FROM link_row WHERE id = ${link_id}`.execute(
      ctx.db,
    );
    const [link] = rows;
    if (!link) throw new BusinessError('not_found');
    const other = (['host', 'port', 'system_id'] as const).some((field) => settings[field] !== link[field]);
    if (other && link.sealed && password === null) throw fieldError('password', 'link_password_again');
    return link.sealed;
  });
  const opened = () => {
    try {
      return saved ? open(secretKey(base.config), saved, passwordContext(link_id!)) : '';
    } catch {
      return undefined;
    }
  };
  const used = password ?? opened();
  if (used === undefined) return { data: { bound: false, steps: [UNREADABLE] } };
  return { data: await tryBind({ ...settings, password: used }, { config: base.config }) };
}

const UNREADABLE = {
  step: 'bind',
  outcome: 'failed',
  milliseconds: 0,
  code: 'password_unreadable',
  detail: '',
} as const;
