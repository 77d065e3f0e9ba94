import { blackoutTime } from '@heliograph/contract/organizations/blackout-time';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { corporationOverview, createCustomer } from '@heliograph/contract/organizations/customer';
import { department } from '@heliograph/contract/organizations/department';
import { askForCredit, dismissFirstRun, firstRun } from '@heliograph/contract/organizations/first-run';
import { previewCorporationOff, previewDepartmentOff } from '@heliograph/contract/organizations/switch-off';
import {
  assignReseller,
  previewAssignment,
  previewReseller,
  sendTestMail,
  team,
} from '@heliograph/contract/organizations/team';
import type { Identity } from '#modules/identity';
import { type App, mount, mountOutside, mountResource } from '#platform/http/http';
import { assign, showAssignment, showNewReseller } from './assign-reseller.ts';
import { blackoutTimes } from './blackout-time.ts';
import { corporations } from './corporation.ts';
import { showOverview } from './corporation-overview.ts';
import { newCustomer } from './customer.ts';
import { departments } from './department.ts';
import { dismiss, requestCredit, showFirstRun } from './first-run.ts';
import { concernedBy } from './switch-off.ts';
import { teams } from './team.ts';
import { teamImageRoutes } from './team-images.ts';
import { testMail } from './test-mail.ts';

/** Mounts corporations, departments and resellers; `identity` holds the services of sign-in. */
export function mountOrganizations(app: App, identity: Identity): void {
  const { authDb } = identity;
  mountResource(app, corporation, corporations);
  mountResource(app, department, departments);
  mount(app, previewCorporationOff, async (ctx, { params }) => {
    await corporations.get(ctx, { params, query: {}, body: {} });
    return { data: await concernedBy(ctx, { corporation_id: params.id, department_id: null }) };
  });
  mount(app, previewDepartmentOff, async (ctx, { params }) => {
    const { data } = await departments.get(ctx, { params, query: {}, body: {} });
    return { data: await concernedBy(ctx, { corporation_id: data.corporation_id, department_id: data.id }) };
  });
  mountResource(app, blackoutTime, blackoutTimes);
  mountResource(app, team, teams);
  mount(app, previewReseller, showNewReseller);
  mount(app, previewAssignment, showAssignment);
  mount(app, assignReseller, assign);
  mountOutside(app, sendTestMail, testMail);
  mount(app, createCustomer, newCustomer(identity));
  mount(app, corporationOverview, showOverview);
  mount(app, firstRun, showFirstRun(authDb));
  mount(app, dismissFirstRun, dismiss);
  mount(app, askForCredit, requestCredit(authDb));
  teamImageRoutes(app, authDb);
}
