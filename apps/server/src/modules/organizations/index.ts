import { blackoutTime } from '@heliograph/contract/organizations/blackout-time';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import { previewCorporationOff, previewDepartmentOff } from '@heliograph/contract/organizations/switch-off';
import {
  assignReseller,
  previewAssignment,
  previewReseller,
  sendTestMail,
  team,
} from '@heliograph/contract/organizations/team';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { type App, mount, mountOutside, mountResource } from '#platform/http/http';
import { assign, showAssignment, showNewReseller } from './assign-reseller.ts';
import { blackoutTimes } from './blackout-time.ts';
import { corporations } from './corporation.ts';
import { departments } from './department.ts';
import { concernedBy } from './switch-off.ts';
import { teams } from './team.ts';
import { teamImageRoutes } from './team-images.ts';
import { testMail } from './test-mail.ts';

/** Mounts corporations, departments and resellers; `authDb` answers pictures to people who have not signed in yet. */
export function mountOrganizations(app: App, authDb: Kysely<Database>): void {
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
  teamImageRoutes(app, authDb);
}
