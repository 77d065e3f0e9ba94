import { user } from '@heliograph/contract/access/user';
import { billingAccount } from '@heliograph/contract/billing/billing-account';
import type { Operation, ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import type { createCustomer } from '@heliograph/contract/organizations/customer';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { type AddUser, addUser } from '#modules/access';
import { billingAccounts, payAccount } from '#modules/billing';
import { type Identity, mailInvitation } from '#modules/identity';
import { createSender } from '#modules/senders';
import { withFieldRights } from '#platform/access/field-rights';
import { type Context, requirePermission, setScope } from '#platform/context';
import { BusinessError } from '#platform/errors';
import type { Call, Handler } from '#platform/http/http';
import { translate } from '#platform/text/i18n';
import { corporations } from './corporation.ts';
import { departments } from './department.ts';

/** Field of each block that a refusal without a field is about. */
const TAKEN: Readonly<Record<string, string>> = {
  corporation_already_exists: 'name',
  department_already_exists: 'department',
  billing_account_already_exists: 'key',
  sender_ids_already_exist: 'sender_id',
  user_already_exists: 'email',
};
/** Fields of a block under another name than in their record. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'department.name': 'company.department',
  'payment.amount': 'account.payment',
};

/** Runs the work on one block of the form, and names the block before each field that it refuses. */
async function inBlock<X>(block: string, work: () => Promise<X>): Promise<X> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error;
    const taken = TAKEN[error.code];
    const fields = error.fields ?? (taken === undefined ? {} : { [taken]: [{ key: 'taken' }] });
    const named = Object.entries(fields).map(([field, faults]) => {
      const path = `${block}.${field}`;
      return [OTHER_NAMES[path] ?? path, faults] as const;
    });
    throw new BusinessError(error.code, { fields: Object.fromEntries(named), params: error.params, cause: error });
  }
}

const body = <B>(of: B) => ({ params: {}, query: {}, body: of }) as unknown as Call<Operation> & { body: B };

/** Lets the caller work inside a corporation that this transaction has created. */
async function inside(ctx: Context, id: number): Promise<Context> {
  const caller = { ...ctx.caller, corporations: [...ctx.caller.corporations, id] };
  await setScope(ctx.db, caller);
  return { ...ctx, caller };
}

/**
 * Creates a customer: the corporation, its account with a first payment, its sender and its first administrator, all in
 * the transaction of the call. The invitation is mailed after the commit.
 */
export const newCustomer =
  (identity: Identity): Handler<typeof createCustomer> =>
  async (outer, { body: { company, account, sender, admin } }) => {
    for (const needed of [billingAccount.permissions.create, user.permissions.create])
      requirePermission(outer.caller, needed);
    const { department: departmentName, ...fields } = company;
    const { data: made } = await inBlock('company', () =>
      withFieldRights(corporation, corporations).create(outer, body(corporation.create.parse(fields))),
    );
    const corporation_id = made.id;
    const ctx = await inside(outer, corporation_id);
    await inBlock('department', () =>
      departments.create(
        ctx,
        body({ corporation_id, name: departmentName, callback_url: null, signature: null, enabled: true }),
      ),
    );
    const { payment, key = `C${corporation_id}`, ...terms } = account;
    const { data: paid } = await inBlock('account', () =>
      withFieldRights(billingAccount, billingAccounts).create(
        ctx,
        body(billingAccount.create.parse({ ...terms, key, corporation_id })),
      ),
    );
    if (payment !== null) {
      requirePermission(ctx.caller, 'billing-accounts-payment');
      await inBlock('payment', () =>
        payAccount(ctx, { params: { id: paid.id }, query: {}, body: { amount: payment } }),
      );
    }
    if (sender) {
      requirePermission(ctx.caller, senderId.permissions.create);
      await inBlock('sender', () => createSender(ctx, body(senderId.create.parse({ ...sender, corporation_id }))));
    }
    const person = await inBlock('admin', () => addAdministrator(ctx, addUser(identity), { ...admin, corporation_id }));
    ctx.afterCommit(() => {
      mailInvitation(identity, ctx, person.id).catch((error: unknown) =>
        ctx.log.error({ err: error }, 'could not send email'),
      );
    });
    const data = { corporation_id, billing_account_id: paid.id, user_id: person.id };
    const message = translate(ctx.locale, 'customer.created', { name: made.name, email: person.email });
    return { data, message } satisfies ReplyOf<typeof createCustomer>;
  };

type Admin = Parameters<AddUser>[1];

/** Creates the first person of a corporation: a corporate administrator without a password. */
async function addAdministrator(
  ctx: Context,
  add: AddUser,
  fields: Pick<Admin, 'name' | 'email' | 'phone' | 'preferred_language' | 'corporation_id'>,
) {
  const role = await ctx.db.selectFrom('role').select('id').where('name', '=', 'corporate_admin').executeTakeFirst();
  if (!role) throw new BusinessError('corporate_admin_role_missing');
  const whole = user.create
    .omit({ password: true, password_confirmation: true })
    .parse({ ...fields, role_id: role.id, scope_level: 2 });
  return add(ctx, whole, null);
}
