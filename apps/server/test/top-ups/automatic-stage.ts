import { consentValues } from '@heliograph/contract/top-ups/automatic-top-up';
import { correct, peopleOf } from '#modules/billing';
import { translate } from '#platform/text/i18n';
import { beginCharges } from '../../src/modules/top-ups/charge-card.ts';
import type { Scope } from '../template-database.ts';
import { makeTopUpStage } from './stage.ts';

export const TERMS = {
  threshold: '100.00',
  amount: '500.00',
  day_limit: '1500.00',
  month_limit: '2000.00',
  minutes_between: 60,
};
export const FREE = { fee_percent: 0, fee_fixed: 0, fee_payer: 'seller', currency: 'PHP' } as const;
/** Time to which tests set the clock: no charge of now is near. */
export const FUTURE = '2030-03-10T02:00:00Z';

/** An account with an automatic top-up that tests agree to, charge and look at. */
export async function makeAutomaticStage(t: Scope) {
  const stage = await makeTopUpStage(t);
  const { owner, simulator, clock, tenant, quiet, work, balance, tools, call } = stage;
  const { billing_account_id: account, corporation_id } = tenant;
  const path = `/api/v1/billing-accounts/${account}/automatic-top-up`;
  const { name } = await owner
    .selectFrom('billing_account')
    .select('name')
    .where('id', '=', account)
    .executeTakeFirstOrThrow();

  await owner.updateTable('user_account').set({ scope_level: 2 }).where('id', '=', tenant.user_id).execute();
  /** Number of people who are told about the account. */
  const people = (await peopleOf(owner, { id: account, corporation_id })).length;

  const consentTo = (terms: typeof TERMS, method: object, to = name) =>
    translate(
      'en',
      'automatic_top_up.consent',
      consentValues(terms, { ...FREE, name: 'Card', ...method }, { name: to }),
    );

  /** Moves the clock, which the test has set, by minutes. */
  const later = (minutes: number) => clock.set(new Date(clock.now().getTime() + minutes * 60_000).toISOString());

  /** Corrects the account to a balance in thousandths. */
  async function bringTo(wanted: number): Promise<void> {
    const amount = wanted - (await balance());
    if (amount !== 0)
      await owner
        .transaction()
        .execute((db) =>
          correct(db, { key: `correct ${Math.random()}`, billing_account_id: account, corporation_id, amount }),
        );
  }

  const chargesOf = () =>
    owner
      .selectFrom('top_up')
      .selectAll()
      .where('automatic', '=', true)
      .where('billing_account_id', '=', account)
      .orderBy('id')
      .execute();
  const paymentOf = (reference: string) =>
    [...simulator.book.payments.values()].filter((payment) => payment.reference === reference);
  const show = async (who = 'boss') =>
    (await call<{ data: Record<string, unknown> | null }>(who, 'GET', path)).body.data;

  /** Agrees to an automatic top-up by a new payment method. */
  async function start(terms = TERMS, method: object = {}) {
    const id = await stage.method('stripe', { name: `Card ${Math.random()}`, ...method });
    const row = await owner.selectFrom('merchant_account').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const consent = consentTo(terms, { ...row, fee_payer: row.fee_payer as 'customer' });
    const { status, body } = await call<{ data: { id: number; reference: string }; errors?: object; code?: string }>(
      'boss',
      'POST',
      path,
      { ...terms, merchant_account_id: id, consent },
    );
    return { method: id, status, body, consent };
  }

  /** Agrees, pays the first payment, and returns the payment method and the simulated payment that keeps the card. */
  async function running(terms = TERMS, method: object = {}) {
    // Notices are signed with the time of the machine.
    clock.set(null);
    const { body, ...made } = await start(terms, method);
    await work();
    const [first] = paymentOf(body.data.reference);
    simulator.act(first!.id, 'pay');
    await quiet();
    clock.set(FUTURE);
    return { ...made, first: first!, id: body.data.id };
  }

  const mailsOf = async (action: () => Promise<unknown>) => {
    const before = stage.ran.length;
    await action();
    return stage.ran.slice(before).filter((job) => job === 'mail-automatic-top-up').length;
  };
  const charge = async () => {
    await beginCharges(tools.worker);
    await quiet();
  };
  return {
    ...stage,
    account,
    path,
    people,
    consentTo,
    later,
    bringTo,
    chargesOf,
    paymentOf,
    show,
    start,
    running,
    mailsOf,
    charge,
  };
}
