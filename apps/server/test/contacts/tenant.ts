import type { Kysely } from 'kysely';
import type { Database } from '../../src/platform/database/db.ts';

/** A corporation with a department and one user, for the lists of a test. */
export interface Tenant {
  corporation_id: number;
  department_id: number;
  user_id: number;
}

let count = 0;

/** Creates a new tenant with each call. */
export async function makeTenant(owner: Kysely<Database>, name = `Tenant ${++count}`): Promise<Tenant> {
  const corporation = await owner.insertInto('corporation').values({ name }).returning('id').executeTakeFirstOrThrow();
  const department = await owner
    .insertInto('department')
    .values({ corporation_id: corporation.id, name: 'Marketing' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await owner
    .insertInto('role')
    .values({ name: 'corporate_user', level: 4 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const role = await owner
    .selectFrom('role')
    .select('id')
    .where('name', '=', 'corporate_user')
    .executeTakeFirstOrThrow();
  const user = await owner
    .insertInto('user_account')
    .values({
      corporation_id: corporation.id,
      department_id: department.id,
      name: 'Test person',
      email: `${name.toLowerCase().replaceAll(' ', '-')}@heliograph.test`,
      password_hash: '',
      role_id: role.id,
      scope_level: 4,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { corporation_id: corporation.id, department_id: department.id, user_id: user.id };
}

/** Creates an empty list. */
export async function makeList(owner: Kysely<Database>, tenant: Tenant, name = 'Customers'): Promise<number> {
  const { corporation_id, department_id, user_id } = tenant;
  const list = await owner
    .insertInto('number_list')
    .values({ corporation_id, department_id, name, created_by: user_id })
    .returning('id')
    .executeTakeFirstOrThrow();
  return list.id;
}
