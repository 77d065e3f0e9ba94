import { type Kysely, sql } from 'kysely';
import { hashPassword } from '../../src/modules/identity/index.ts';
import type { Database } from '../../src/platform/database/db.ts';

export const PASSWORD = 'Lantern#41';
let hash: Promise<string> | undefined;

/** Returns a clock that moves only when a test moves it. */
export function testClock(start = '2026-03-02T08:00:00Z') {
  let now = new Date(start);
  return {
    now: () => now,
    pass: (milliseconds: number) => {
      now = new Date(now.getTime() + milliseconds);
    },
  };
}

/** Creates a role with a level and permissions, or reuses the one of that name, and returns its id. */
export async function makeRole(db: Kysely<Database>, name: string, level: number, permissions: string[] = []) {
  const role = await db
    .insertInto('role')
    .values({ name, level })
    .onConflict((c) => c.column('name').doUpdateSet({ level }))
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const permission of permissions) {
    const { id } = await db
      .insertInto('permission')
      .values({ name: permission })
      .onConflict((c) => c.column('name').doUpdateSet({ name: permission }))
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('role_permission')
      .values({ role_id: role.id, permission_id: id })
      .onConflict((c) => c.doNothing())
      .execute();
  }
  return role.id;
}

/**
 * Creates a corporation with a department, and one person of a level in it. People of levels 0 and 1 have no
 * corporation. The password is PASSWORD.
 */
export async function makePerson(
  db: Kysely<Database>,
  email: string,
  { level = 2, corporation = 'Lamp Works', permissions = [] as string[], is_reseller = false } = {},
) {
  hash ??= hashPassword(PASSWORD);
  const role_id = await makeRole(db, `level ${level}`, level, permissions);
  let corporation_id: number | null = null;
  let department_id: number | null = null;
  if (level > 1) {
    corporation_id = (
      await db
        .insertInto('corporation')
        .values({ name: corporation, is_reseller })
        .onConflict((c) => c.expression(sql`reseller_id, name_key(name)`).doUpdateSet({ name: corporation }))
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
    department_id = (
      await db
        .insertInto('department')
        .values({ corporation_id, name: 'Light' })
        .onConflict((c) => c.expression(sql`corporation_id, name_key(name)`).doUpdateSet({ name: 'Light' }))
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  }
  const { id } = await db
    .insertInto('user_account')
    .values({
      email,
      name: email,
      password_hash: await hash,
      role_id,
      scope_level: level,
      corporation_id,
      department_id: level > 2 ? department_id : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { user_id: id, corporation_id: corporation_id!, department_id: department_id!, role_id };
}
