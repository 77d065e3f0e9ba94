import { GROUP, type Json, USER } from './scim-attributes.ts';
import type { Directory } from './scim-directory.ts';
import { ScimError } from './scim-error.ts';
import { changeGroup, createGroup, getGroup, listGroups, removeGroup } from './scim-groups.ts';
import { applyPatch } from './scim-patch.ts';
import { getUser, listUsers } from './scim-people.ts';
import { changeUser, createUser, removeUser } from './scim-users.ts';

/** Kinds of resources of a directory, by their name in the path. */
export const KINDS = {
  Users: {
    attributes: USER,
    list: listUsers,
    get: getUser,
    create: createUser,
    change: changeUser,
    remove: removeUser,
  },
  Groups: {
    attributes: GROUP,
    list: listGroups,
    get: getGroup,
    create: createGroup,
    change: changeGroup,
    remove: removeGroup,
  },
} as const;
export type Kind = keyof typeof KINDS;

/** Change of a whole resource by PUT, or of parts of it by PATCH; only of the version that the call names, if any. */
interface Change {
  method: 'PUT' | 'PATCH';
  body: unknown;
  version: string | undefined;
}

/** Returns the versions that a header lists. */
export const tagsIn = (header: string | undefined): string[] => (header ?? '').split(',').map((tag) => tag.trim());

/** Throws 412 if the call is meant for another version of the resource, by RFC 7644, section 3.14. */
function requireVersion(wanted: string | undefined, { meta }: Json): void {
  if (wanted === undefined || wanted.trim() === '*') return;
  if (!tagsIn(wanted).includes((meta as { version: string }).version))
    throw new ScimError(412, 'The resource has changed meanwhile. Read it again.');
}

/** Changes a resource and answers it. Throws 404, 403, 409, 412 and the reasons of a 400. */
export const change = (
  directory: Directory,
  kind: Kind,
  id: string,
  { method, body, version }: Change,
): Promise<Json> =>
  KINDS[kind].change(directory, id, (present) => {
    requireVersion(version, present);
    return method === 'PUT' ? body : applyPatch(KINDS[kind].attributes, present, body);
  });

/** Removes a resource. Throws 404, 403 and 412. */
export const remove = (directory: Directory, kind: Kind, id: string, version: string | undefined): Promise<void> =>
  KINDS[kind].remove(directory, id, (present) => requireVersion(version, present));
