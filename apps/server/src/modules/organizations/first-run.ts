import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { Permission } from '@heliograph/contract/kernel/screen-list';
import type {
  askForCredit,
  dismissFirstRun,
  FIRST_RUN_STEPS,
  firstRun,
} from '@heliograph/contract/organizations/first-run';
import { type Kysely, sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { translate } from '#platform/text/i18n';

type Step = (typeof FIRST_RUN_STEPS)[number];

const DAY_MS = 86_400_000;
/** Maximum people of the seller who get a request for credit. */
const SELLERS = 5;

/** Permission that each step needs. Credit is never one's own to give. */
const NEEDS: Readonly<Record<Exclude<Step, 'company' | 'credit'>, Permission>> = {
  sender: 'sender-ids-create',
  contacts: 'number-lists-create',
  test: 'campaigns-test',
  campaign: 'campaigns-create',
};

/** State of the caller's corporation, as far as the caller sees it. */
interface State {
  name: string;
  timezone: string;
  currency: string;
  dismissed: boolean;
  campaign: boolean;
  sender: boolean;
  waiting: { id: number; sender_id: string; held: boolean } | null;
  contacts: boolean;
  test: boolean;
  balance: number | null;
  funded: boolean | null;
  administrator: string | null;
}

async function stateOf({ db, caller }: Context, corporationId: number): Promise<State | undefined> {
  const { rows } = await sql<State>`
    SELECT c.name, c.timezone, c.currency,
      EXISTS (SELECT FROM user_preference WHERE user_id = ${caller.user_id} AND first_run_dismissed_at IS NOT NULL)
        AS dismissed,
      EXISTS (SELECT FROM campaign WHERE corporation_id = c.id AND state IN ('running', 'paused', 'completed', 'stopped'))
        AS campaign,
      EXISTS (SELECT FROM sender_id WHERE corporation_id = c.id AND usable) AS sender,
      (SELECT json_build_object('id', s.id, 'sender_id', s.sender_id, 'held', s.held_name) FROM sender_id s
        WHERE s.corporation_id = c.id AND s.enabled AND s.state = 'submitted' ORDER BY s.id DESC LIMIT 1) AS waiting,
      EXISTS (SELECT FROM number_list WHERE corporation_id = c.id AND numbers_count > 0) AS contacts,
      EXISTS (SELECT FROM activity_log WHERE corporation_id = c.id AND name = 'campaigns' AND description = 'test sent')
        AS test,
      a.credit_balance AS balance, a.enabled AND NOT a.suspended AND a.credit_balance + a.credit_limit > 0 AS funded,
      (SELECT u.name FROM user_account u WHERE u.corporation_id = c.id AND u.scope_level = 2 AND u.enabled AND NOT u.is_service
        AND u.id <> ${caller.user_id} ORDER BY u.id LIMIT 1) AS administrator
    FROM corporation c LEFT JOIN LATERAL (
      SELECT b.* FROM billing_account b WHERE b.corporation_id = c.id
        AND (${caller.billing_account_id}::bigint IS NULL OR b.id = ${caller.billing_account_id}) ORDER BY b.id LIMIT 1
    ) a ON true
    WHERE c.id = ${corporationId}`.execute(db);
  return rows[0];
}

/** Time of the caller's last request for credit, if it is within a day. */
async function askedAt({ db, caller, clock }: Context): Promise<string | null> {
  const last = await db
    .selectFrom('user_preference')
    .select('credit_asked_at')
    .where('user_id', '=', caller.user_id)
    .where('credit_asked_at', '>', new Date(clock.now().getTime() - DAY_MS).toISOString())
    .executeTakeFirst();
  return last?.credit_asked_at ?? null;
}

/** Shows the steps to a first campaign. `authDb` reads the seller's name, because the caller cannot see the seller. */
export const showFirstRun =
  (authDb: Kysely<Database>): Handler<typeof firstRun> =>
  async (ctx) => {
    const { caller } = ctx;
    if (caller.corporation_id === null) return { data: null };
    const state = await stateOf(ctx, caller.corporation_id);
    if (!state || state.dismissed || state.campaign) return { data: null };
    const may = (step: keyof typeof NEEDS) => caller.permissions.has(NEEDS[step]);
    return {
      data: {
        steps: [
          { step: 'company', done: true, may: true },
          { step: 'sender', done: state.sender, may: may('sender') },
          { step: 'credit', done: state.funded === true, may: false },
          { step: 'contacts', done: state.contacts, may: may('contacts') },
          { step: 'test', done: state.test, may: may('test') },
          { step: 'campaign', done: false, may: may('campaign') },
        ],
        corporation_id: caller.corporation_id,
        corporation_name: state.name,
        timezone: state.timezone,
        currency: state.currency,
        balance: state.balance === null ? null : fromThousandths(state.balance),
        helper: await sellerName(ctx, authDb, caller.corporation_id),
        administrator: caller.scope_level > 2 ? state.administrator : null,
        waiting_sender: state.sender ? null : await waitingSender(ctx, authDb, caller.corporation_id, state.waiting),
        asked_at: await askedAt(ctx),
      },
    };
  };

const sellerName = async ({ config }: Context, authDb: Kysely<Database>, corporationId: number) =>
  (await brandOf(authDb, config, corporationId)).app;

/** Answers a waiting sender ID with who decides: the reseller if the platform lets it, else the platform. */
async function waitingSender(ctx: Context, authDb: Kysely<Database>, corporationId: number, waiting: State['waiting']) {
  if (!waiting) return null;
  const { id, sender_id, held } = waiting;
  const { rows } = await sql`SELECT FROM corporation c JOIN reseller r ON r.corporation_id = c.reseller_id
    WHERE c.id = ${corporationId} AND r.decides_senders`.execute(authDb);
  const reseller = rows.length > 0 && !held;
  return { id, sender_id, by: (await brandOf(authDb, ctx.config, reseller ? corporationId : null)).app };
}

/** Puts the steps away for the caller. */
export const dismiss: Handler<typeof dismissFirstRun> = async (ctx) => {
  const first_run_dismissed_at = ctx.clock.now().toISOString();
  await ctx.db
    .insertInto('user_preference')
    .values({ user_id: ctx.caller.user_id, first_run_dismissed_at })
    .onConflict((oc) => oc.column('user_id').doUpdateSet({ first_run_dismissed_at }))
    .execute();
  return { message: translate(ctx.locale, 'first_run.dismissed') };
};

interface Seller {
  name: string;
  email: string;
  preferred_language: Context['locale'];
}

/** Finds the people who sell credit to a corporation: its reseller's administrators, else the platform's. */
async function sellersOf(authDb: Kysely<Database>, corporationId: number): Promise<Seller[]> {
  const { rows } = await sql<Seller>`
    SELECT u.name, u.email, u.preferred_language FROM corporation c JOIN user_account u ON u.enabled AND NOT u.is_service AND CASE
      WHEN c.reseller_id IS NULL THEN u.corporation_id IS NULL AND u.scope_level <= 1
      ELSE u.corporation_id = c.reseller_id AND u.scope_level = 2 END
    WHERE c.id = ${corporationId} ORDER BY u.scope_level DESC, u.id LIMIT ${SELLERS}`.execute(authDb);
  return rows;
}

/** Mails a request for credit to the corporation's seller. A second one on the same day sends nothing. */
export const requestCredit =
  (authDb: Kysely<Database>): Handler<typeof askForCredit> =>
  async (ctx) => {
    const { caller, config, log } = ctx;
    const { corporation_id } = caller;
    if (corporation_id === null) throw new BusinessError('forbidden');
    const state = await stateOf(ctx, corporation_id);
    if (!state) throw new BusinessError('forbidden');
    const brand = await brandOf(authDb, config, corporation_id);
    const message = translate(ctx.locale, 'first_run.asked', { name: brand.app });
    if ((await askedAt(ctx)) !== null) return { message };
    const credit_asked_at = ctx.clock.now().toISOString();
    await ctx.db
      .insertInto('user_preference')
      .values({ user_id: caller.user_id, credit_asked_at })
      .onConflict((oc) => oc.column('user_id').doUpdateSet({ credit_asked_at }))
      .execute();
    await audit(ctx, {
      name: 'billing-accounts',
      description: 'credit asked for',
      subject_type: 'corporations',
      subject_id: corporation_id,
    });
    const sellers = await sellersOf(authDb, corporation_id);
    ctx.afterCommit(() => {
      for (const { name, email, preferred_language } of sellers) {
        const values = { app: brand.app, name, person: caller.name, email: caller.email, corporation: state.name };
        const mail = {
          to: email,
          subject: translate(preferred_language, 'first_run.mail_subject', values),
          text: translate(preferred_language, 'first_run.mail_text', {
            ...values,
            link: `${brand.url}/billing-accounts`,
          }),
        };
        sendMail(config, mail, log, brand.mail()).catch((error: unknown) =>
          log.error({ err: error }, 'could not send email'),
        );
      }
    });
    return { message };
  };
