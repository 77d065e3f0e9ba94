import { isAdministration } from '@heliograph/contract/kernel/scope';
import { team } from '@heliograph/contract/organizations/team';
import type { z } from 'zod';
import { setResellerLink } from '#modules/carrier-routes';
import { requireFreeName } from '#modules/senders';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { mailPasswordContext } from '#platform/operator/brand';
import { seal, secretKey } from '#platform/process/seal';
import { publicUrl } from '#platform/process/shutdown';
import { tableStore } from '#platform/records/table-store';
import { findNamed, requireAdministration, requireFree } from './assign-reseller.ts';
import { BECOMES_RESELLER, downgrade } from './downgrades.ts';
import { requireLinkHost } from './short-link-host.ts';

const stored = tableStore(team, {
  table: 'reseller',
  from: 'reseller_row',
  searched: ['corporation_name', 'app_name', 'base_url'],
  may: (_row, caller) => ({ delete: isAdministration(caller.scope_level) }),
});
export type TeamRow = Awaited<ReturnType<typeof stored.get>>['data'];
type Changes = z.output<typeof team.update>;

/** Fields to which a password belongs: for another server or user it must be entered again. */
const WHOSE_PASSWORD = ['mail_server', 'mail_port', 'mail_security', 'mail_user'] as const;

/** Finds a reseller as the caller sees it; throws `not_found`. */
export async function findTeam(ctx: Context, id: number): Promise<TeamRow> {
  const { data } = await stored.get(ctx, { params: { id }, query: {}, body: {} });
  return data;
}

function checkAddress(ctx: Context, base_url: string | null | undefined): void {
  if (base_url && new URL(base_url).hostname === new URL(publicUrl(ctx.config)).hostname)
    throw fieldError('base_url', 'base_url_own');
}

/** Throws unless a mail server, its port and its sender address are set together. */
function checkMail(row: Pick<TeamRow, 'email_address' | 'mail_server' | 'mail_port'>): void {
  const fields = ['email_address', 'mail_server', 'mail_port'] as const;
  const empty = fields.filter((field) => row[field] === null);
  const [first] = empty;
  if (first !== undefined && empty.length < fields.length) throw fieldError(first, 'mail_whole');
}

const sealed = (ctx: Context, id: number, password: string) => ({
  email_password_sealed: seal(secretKey(ctx.config), password, mailPasswordContext(id)),
  mail_credentials_set_at: ctx.clock.now().toISOString(),
});

/** Answers the columns of the password after a change. Throws if a stored one would go to another server. */
function passwordAfter(ctx: Context, before: TeamRow, after: TeamRow, password: string | null | undefined) {
  if (after.mail_server === null) return { email_password_sealed: null, mail_credentials_set_at: null };
  if (password) return sealed(ctx, before.id, password);
  if (before.mail_credentials_set_at !== null && WHOSE_PASSWORD.some((field) => before[field] !== after[field]))
    throw fieldError('email_password', 'mail_password_again');
  return {};
}

async function sendBy(
  ctx: Context,
  reseller: { id: number; name: string },
  link_id: number | null,
  before: number | null,
): Promise<void> {
  if (link_id === before) return;
  if (link_id !== null) await requireVisible(ctx, 'link', link_id, 'link_id');
  await setResellerLink(ctx, reseller, link_id);
}

/** Resellers and their settings. The mail password can be set and is never answered. */
export const teams: ResourceHandlers<typeof team> = {
  ...stored,
  async create(ctx, { params, query, body }) {
    requireAdministration(ctx);
    const { confirmed_user_ids, email_password, link_id, ...fields } = body;
    const corporation = await findNamed(ctx, 'corporation_id', body.corporation_id, { lock: true });
    requireFree(corporation, 'corporation_id');
    checkAddress(ctx, body.base_url);
    requireLinkHost(ctx, body.short_link_host, [body.base_url]);
    checkMail(body);
    await downgrade(ctx, corporation.id, BECOMES_RESELLER, confirmed_user_ids);
    await ctx.db.updateTable('corporation').set({ is_reseller: true }).where('id', '=', corporation.id).execute();
    const made = await stored.create(ctx, { params, query, body: fields as typeof body });
    const { id } = made.data;
    // The password is sealed for its row, and only now its id is known.
    if (email_password)
      await ctx.db
        .updateTable('reseller')
        .set(sealed(ctx, id, email_password))
        .where('id', '=', id)
        .execute();
    await sendBy(ctx, corporation, link_id, null);
    return { ...made, data: await findTeam(ctx, id) };
  },

  async update(ctx, { params, query, body }) {
    const { email_password, link_id, ...fields } = body;
    const before = await findTeam(ctx, params.id);
    const after: TeamRow = { ...before, ...given(body) };
    if (body.app_name && body.app_name !== before.app_name)
      await requireFreeName(ctx, before.corporation_id, body.app_name, 'app_name');
    checkAddress(ctx, body.base_url);
    requireLinkHost(ctx, after.short_link_host, [after.base_url]);
    checkMail(after);
    const changes = { ...fields, ...passwordAfter(ctx, before, after, email_password) };
    const saved = await stored.update(ctx, { params, query, body: changes as typeof body });
    const reseller = { id: before.corporation_id, name: before.corporation_name };
    await sendBy(ctx, reseller, after.link_id, before.link_id);
    return { ...saved, data: await findTeam(ctx, params.id) };
  },

  async remove(ctx, call) {
    const row = await findTeam(ctx, call.params.id);
    requireAdministration(ctx);
    if (await isNeeded(ctx, row)) throw new BusinessError('has_dependencies');
    await sendBy(ctx, { id: row.corporation_id, name: row.corporation_name }, null, row.link_id);
    const answer = await stored.remove(ctx, call);
    await ctx.db.updateTable('corporation').set({ is_reseller: false }).where('id', '=', row.corporation_id).execute();
    return answer;
  },
};

/** Tells whether the reseller is still needed by something: customers, its own plans, people of the role, routes. */
async function isNeeded({ db }: Context, row: TeamRow): Promise<boolean> {
  const { corporation_id } = row;
  if (row.corporations_count > 0) return true;
  const plan = await db
    .selectFrom('price_plan')
    .select('id')
    .where('corporation_id', '=', corporation_id)
    .executeTakeFirst();
  const person = await db
    .selectFrom('user_account as u')
    .innerJoin('role as r', 'r.id', 'u.role_id')
    .select('u.id')
    .where('u.corporation_id', '=', corporation_id)
    .where('r.name', '=', 'reseller')
    .executeTakeFirst();
  const routes = await db.selectFrom('carrier_route').select('id').where('reseller_id', '=', corporation_id).execute();
  return plan !== undefined || person !== undefined || routes.length > (row.link_id === null ? 0 : 1);
}

/** Answers the fields that were sent. */
function given(body: Changes): Partial<TeamRow> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Partial<TeamRow>;
}
