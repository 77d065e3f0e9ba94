import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import { repeatWhileWork } from '#platform/jobs/work-watch';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { personToMail } from '#platform/person/person-to-mail';
import { emit, notify } from '#platform/realtime/realtime';
import { translate } from '#platform/text/i18n';

const EVERY_MS = 1_000;
const ALERTS_AT_ONCE = 50;
const UNTOLD = 'EXISTS (SELECT FROM balance_alert WHERE told_at IS NULL)';
/** Number that changes with any balance. */
const BALANCES = "SELECT sum(hashtextextended(id || ':' || credit_balance, 0))::text FROM billing_account";

/** Job that mails one person that a balance crossed a limit. */
export const mailBalanceAlertJob = defineJob(
  'mail-balance-alert',
  z.object({ balance_alert_id: z.int(), user_id: z.int() }),
);

type Worker = Pick<WorkerContext, 'database' | 'log' | 'watch'>;

/**
 * Notifies consoles of changed balances, and people of a balance that crossed a limit. The senders' batches do not
 * notify, because a NOTIFY in each would make their commits wait for one another.
 */
export class BalanceWatch {
  readonly #worker: Worker;
  readonly #onLook: () => Promise<void>;
  #known: Map<number, number> | undefined;
  #looking: { stop(): Promise<void> } | undefined;

  /** `onLook` is what else depends on balances, such as automatic top-ups. */
  constructor(worker: Worker, onLook: () => Promise<void> = async () => undefined) {
    this.#worker = worker;
    this.#onLook = onLook;
  }

  start(): void {
    const { watch } = this.#worker;
    watch?.add({ sql: UNTOLD });
    let before: unknown;
    watch?.add({
      sql: BALANCES,
      isWork: (balances) => {
        const changed = balances !== before;
        before = balances;
        return changed;
      },
    });
    this.#looking = repeatWhileWork(
      watch,
      EVERY_MS,
      () => this.look(),
      (error) => this.#worker.log.warn({ err: error }, 'could not check balances; retrying'),
    );
  }

  /** Checks once. The first check only learns the balances. */
  async look(): Promise<void> {
    await this.#tellChanges();
    await tellAlerts(this.#worker);
    await this.#onLook();
  }

  async #tellChanges(): Promise<void> {
    const { database } = this.#worker;
    const accounts = await database
      .selectFrom('billing_account')
      .select(['id', 'corporation_id', 'credit_balance'])
      .execute();
    const before = this.#known;
    this.#known = new Map(accounts.map(({ id, credit_balance }) => [id, credit_balance]));
    if (!before) return;
    for (const { id, corporation_id, credit_balance } of accounts) {
      if (before.get(id) === credit_balance) continue;
      await emit(database, `private-corporation.${corporation_id}`, 'billing.balance', { billing_account_id: id });
    }
  }

  async stop(): Promise<void> {
    await this.#looking?.stop();
  }
}

interface Alert {
  id: number;
  kind: 'low_balance' | 'cost_warning';
  billing_account_id: number;
  corporation_id: number;
  name: string;
}

/** Sends the new alerts. The bell shows them now, and a job with retries mails them. */
async function tellAlerts({ database }: Worker): Promise<void> {
  await database.transaction().execute(async (db) => {
    const { rows: alerts } = await sql<Alert>`
      WITH untold AS (
        SELECT id FROM balance_alert WHERE told_at IS NULL ORDER BY id LIMIT ${ALERTS_AT_ONCE} FOR UPDATE SKIP LOCKED
      )
      UPDATE balance_alert a SET told_at = now() FROM untold, billing_account b
      WHERE a.id = untold.id AND b.id = a.billing_account_id
      RETURNING a.id, a.kind, a.billing_account_id, a.corporation_id, b.name`.execute(db);
    for (const { id, kind, billing_account_id, corporation_id, name } of alerts) {
      // People who manage the corporation, or a department that this account pays for.
      const people = await db
        .selectFrom('user_account')
        .select('id')
        .where('corporation_id', '=', corporation_id)
        .where('is_service', '=', false)
        .where('enabled', '=', true)
        .where((eb) =>
          eb.or([
            eb('scope_level', '=', 2),
            eb.and([eb('scope_level', '=', 3), eb('billing_account_id', '=', billing_account_id)]),
          ]),
        )
        .execute();
      for (const { id: user_id } of people) {
        await notify(db, user_id, `billing.${kind}`, { balance_alert_id: id, billing_account_id, name });
        await enqueue(db, mailBalanceAlertJob, { balance_alert_id: id, user_id });
      }
    }
  });
}

/** Mails one alert to one person, in their language. */
export async function mailBalanceAlert(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { balance_alert_id, user_id }: z.output<(typeof mailBalanceAlertJob)['data']>,
): Promise<void> {
  const alert = await database
    .selectFrom('balance_alert as t')
    .innerJoin('billing_account as b', 'b.id', 't.billing_account_id')
    .innerJoin('corporation as c', 'c.id', 't.corporation_id')
    .select([
      't.kind',
      't.balance',
      't.corporation_id',
      'b.name',
      'b.low_balance_limit',
      'b.cost_warning_limit',
      'c.currency',
    ])
    .where('t.id', '=', balance_alert_id)
    .executeTakeFirst();
  const person = await personToMail(database, user_id, 'balance');
  if (!alert || !person) return;
  const brand = await brandOf(database, config, alert.corporation_id);
  const limit = alert.kind === 'low_balance' ? alert.low_balance_limit : alert.cost_warning_limit;
  const params = {
    app: brand.app,
    name: alert.name,
    balance: fromThousandths(alert.balance),
    owed: fromThousandths(Math.max(0, -alert.balance)),
    limit: fromThousandths(limit ?? 0),
    currency: alert.currency,
  };
  const say = (part: string) => translate(person.locale, keyIn('balance_alert', alert.kind, part), params);
  await sendMail(config, { to: person.email, subject: say('subject'), text: say('text') }, log, brand.mail());
}
