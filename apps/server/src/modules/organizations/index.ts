import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import { type App, mountResource } from '#platform/http';
import { corporations } from './corporation.ts';
import { departments } from './department.ts';

/** Mounts corporations and departments. */
export function mountOrganizations(app: App): void {
  mountResource(app, corporation, corporations);
  mountResource(app, department, departments);
}
