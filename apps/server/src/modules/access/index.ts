import * as contract from '@heliograph/contract/access/menu';
import { permission, role } from '@heliograph/contract/access/permission';
import { user } from '@heliograph/contract/access/user';
import type { Identity } from '#modules/identity';
import { type App, mount, mountResource } from '#platform/http/http';
import { matrixCalls } from './matrix.ts';
import { menuOf, menus, orderMenus, renderForm } from './menus.ts';
import { permissions, roles } from './permissions.ts';
import { userCalls } from './user-calls.ts';
import { users } from './users.ts';

export { menuOf } from './menus.ts';
export { recoveriesAskedOf } from './recoveries.ts';
export { checkPlace, checkRole } from './user-rules.ts';
export { type AddUser, addUser, signOut } from './users.ts';

/** Mounts people, roles, permissions and the menu. `identity` holds the services of sign-in. */
export function mountAccess(app: App, identity: Identity): void {
  mountResource(app, user, users(identity));
  userCalls(app, identity);
  mountResource(app, role, roles);
  mountResource(app, permission, permissions);
  matrixCalls(app);
  mountResource(app, contract.menu, menus);
  mount(app, contract.navBarMenus, (ctx) => menuOf(ctx));
  mount(app, contract.menusRenderForm, (ctx) => renderForm(ctx));
  mount(app, contract.orderMenus, (ctx, { body }) => orderMenus(ctx, body));
}
