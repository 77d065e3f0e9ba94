import { assignPermissions, role, showRolePermissions } from '@heliograph/contract/access/permission';
import { user } from '@heliograph/contract/access/user';
import { serviceAccount, serviceAccountKey } from '@heliograph/contract/api/service-account';
import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { pricePlan } from '@heliograph/contract/billing/price-plan';
import { rate } from '@heliograph/contract/billing/rate';
import { rateZone } from '@heliograph/contract/billing/rate-zone';
import { carrierRoute } from '@heliograph/contract/carrier-routes/carrier-route';
import { numberList } from '@heliograph/contract/contacts/number-list';
import { alias } from '@heliograph/contract/inbound-routing/alias';
import { routing } from '@heliograph/contract/inbound-routing/routing';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { link } from '@heliograph/contract/links/link';
import { network } from '@heliograph/contract/networks/network';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import { team } from '@heliograph/contract/organizations/team';
import { senderAssignment } from '@heliograph/contract/senders/sender-assignment';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { systemId } from '@heliograph/contract/smpp-server/system-id';
import type { z } from 'zod';
import type { Calls } from './calls.ts';

/** Field of a record that other calls than its own read and change. */
interface OtherField {
  read(calls: Calls, id: number): Promise<unknown>;
  write(calls: Calls, id: number, before: unknown, after: unknown): Promise<void>;
}

/** Kind of record that a declared installation may name. */
export interface Kind {
  /** Name of its section in a file; also the resource's name in references. */
  section: string;
  resource: AnyResource;
  /** Fields that find a record: the last one names it, those before it say where it belongs. */
  key: readonly string[];
  /** Fields that a file may give, if they differ from those of the call that creates one. */
  fields?: z.ZodObject;
  /** Fields that a file may not give. */
  without?: readonly string[];
  /** Fields whose values have no order. */
  unordered?: readonly string[];
  /** Secret fields that only creating a record takes. */
  secrets?: readonly string[];
  /** Reference fields that wait for a record of another section, which belongs to the referred one. */
  waits?: Readonly<Record<string, string>>;
  /** Whether a present record is left out of an export. */
  hidden?(row: Record<string, unknown>): boolean;
  /** Makes the body of the call that creates a record. */
  body?(fields: Record<string, unknown>): Record<string, unknown>;
  others?: Readonly<Record<string, OtherField>>;
  /** False for records that files only refer to. */
  declared?: false;
}

const permissionsOfRole: OtherField = {
  async read(calls, id) {
    const { data } = await calls.call(showRolePermissions, { params: { id } });
    return data.held;
  },
  async write(calls, id, before, after) {
    const [old, wanted] = [new Set(before as string[]), new Set(after as string[])];
    const body = {
      add: [...wanted].filter((name) => !old.has(name)),
      remove: [...old].filter((name) => !wanted.has(name)),
    };
    await calls.call(assignPermissions, { params: { id }, body });
  },
};

const assignment = senderAssignment.row.pick({ corporation_id: true, department_id: true, sender_id_id: true });

/** Kinds of records, each after those that its key refers to. */
export const KINDS: readonly Kind[] = [
  {
    section: 'roles',
    resource: role,
    key: ['name'],
    unordered: ['permissions'],
    hidden: (row) => row['built_in'] === true,
    others: { permissions: permissionsOfRole },
  },
  { section: 'links', resource: link, key: ['name'] },
  { section: 'networks', resource: network, key: ['label'], declared: false },
  { section: 'corporations', resource: corporation, key: ['reseller_id', 'name'], waits: { reseller_id: 'resellers' } },
  { section: 'resellers', resource: team, key: ['corporation_id'], without: ['confirmed_user_ids'] },
  { section: 'departments', resource: department, key: ['corporation_id', 'name'] },
  {
    section: 'rate-zones',
    resource: rateZone,
    key: ['name'],
    hidden: (row) => row['built_in'] === true,
  },
  { section: 'price-plans', resource: pricePlan, key: ['corporation_id', 'name'] },
  { section: 'rates', resource: rate, key: ['price_plan_id', 'rate_zone_id', 'starts_on', 'prefix'] },
  { section: 'billing-accounts', resource: billingAccount, key: ['corporation_id', 'name'] },
  {
    section: 'users',
    resource: user,
    key: ['email'],
    without: ['password_confirmation', 'supervisor_ids', 'connection_type_id'],
    secrets: ['password'],
    body: (fields) => ({ ...fields, password_confirmation: fields['password'] }),
  },
  { section: 'sender-ids', resource: senderId, key: ['corporation_id', 'sender_id'] },
  {
    section: 'assign-sender-ids',
    resource: senderAssignment,
    key: ['corporation_id', 'department_id', 'sender_id_id'],
    fields: assignment,
    body: ({ sender_id_id, ...place }) => ({ ...place, sender_id_ids: [sender_id_id] }),
  },
  { section: 'carrier-routes', resource: carrierRoute, key: ['name'], unordered: ['links'] },
  { section: 'aliases', resource: alias, key: ['corporation_id', 'word'], unordered: ['aliases'] },
  { section: 'routings', resource: routing, key: ['number', 'keyword'] },
  {
    section: 'smpp-system-ids',
    resource: systemId,
    key: ['system_id'],
    unordered: ['addresses', 'classes'],
  },
  {
    section: 'service-accounts',
    resource: serviceAccount,
    key: ['corporation_id', 'name'],
    unordered: ['scopes', 'allowed_ips', 'doors'],
  },
  {
    section: 'service-account-keys',
    resource: serviceAccountKey,
    key: ['service_account_id', 'name'],
    hidden: (row) => row['state'] !== 'valid',
  },
  { section: 'number-lists', resource: numberList, key: ['corporation_id', 'department_id', 'name'] },
];

const BY_SECTION = new Map(KINDS.map((kind) => [kind.section, kind]));
const BY_RESOURCE = new Map(KINDS.map((kind) => [kind.resource.name, kind]));

/** Returns the kind of a section; undefined if there is none. */
export const kindOf = (section: string): Kind | undefined => BY_SECTION.get(section);

/** Returns the kind of a resource that a field refers to; undefined if files cannot name its records. */
export const referredKind = (resource: string): Kind | undefined => BY_RESOURCE.get(resource);
