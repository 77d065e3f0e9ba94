import type { Json } from './scim-attributes.ts';
import { GROUP_SCHEMA } from './scim-groups.ts';
import { USER_SCHEMA } from './scim-people.ts';

/** Maximum resources of one page. */
export const MOST_RESOURCES = 200;

/** Maximum operations of a bulk request. Each new account derives a password that nobody knows, which takes time. */
export const MOST_OPERATIONS = 100;

/** Maximum octets of a body. */
export const MOST_OCTETS = 2 * 1024 * 1024;

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** Answers a list of RFC 7644, section 3.4.2. */
export const listOf = (Resources: readonly Json[], totalResults = Resources.length, startIndex = 1): Json => ({
  schemas: [LIST],
  totalResults,
  startIndex,
  itemsPerPage: Resources.length,
  Resources,
});

/** Answers what this service can do, by RFC 7643, section 5. */
export const serviceProviderConfig = (base: string): Json => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: true, maxOperations: MOST_OPERATIONS, maxPayloadSize: MOST_OCTETS },
  filter: { supported: true, maxResults: MOST_RESOURCES },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Token of the identity provider',
      description: 'The token that the console shows once, as a bearer token of RFC 6750.',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

/** Answers the kinds of resources, by RFC 7643, section 6. */
export const resourceTypes = (base: string): Json[] =>
  [
    { name: 'User', endpoint: '/Users', schema: USER_SCHEMA, description: 'Person who signs in' },
    {
      name: 'Group',
      endpoint: '/Groups',
      schema: GROUP_SCHEMA,
      description: 'Group of the directory, which can give a role',
    },
  ].map((type) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: type.name,
    ...type,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type.name}` },
  }));

const attribute = (name: string, description: string, more: Json = {}): Json => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});
const listed = (name: string, description: string, more: Json = {}): Json =>
  attribute(name, description, {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The value', { required: true }),
      attribute('type', 'Its kind, such as "work"'),
      attribute('primary', 'Whether it is the first to use', { type: 'boolean' }),
    ],
    ...more,
  });

const reference = (kind: 'User' | 'Group'): Json[] => [
  attribute('value', `The id of the ${kind.toLowerCase()}`, { mutability: 'immutable' }),
  attribute('display', 'The name', { mutability: 'readOnly' }),
  attribute('$ref', 'The address', { type: 'reference', referenceTypes: [kind], mutability: 'readOnly' }),
];

/** Answers the attributes that are kept, by RFC 7643, section 7. */
export const schemas = (base: string): Json[] =>
  [
    {
      id: USER_SCHEMA,
      name: 'User',
      description: 'Person who signs in',
      attributes: [
        attribute('userName', 'Name by which the directory knows the person', { required: true, uniqueness: 'server' }),
        attribute('displayName', 'Name that people see'),
        attribute('name', 'Name in parts', {
          type: 'complex',
          subAttributes: [
            attribute('formatted', 'Whole name'),
            attribute('givenName', 'Given name'),
            attribute('familyName', 'Family name'),
          ],
        }),
        attribute('active', 'Whether the person may sign in', { type: 'boolean' }),
        attribute('preferredLanguage', 'Language of the console: en, fil, zh-Hans or zh-Hant'),
        listed('emails', 'Email address; the primary one is kept'),
        listed('phoneNumbers', 'Phone numbers; the one of type "mobile" is kept, for sign-in codes'),
        attribute('groups', 'Groups of the person', {
          type: 'complex',
          multiValued: true,
          mutability: 'readOnly',
          subAttributes: reference('Group'),
        }),
      ],
    },
    {
      id: GROUP_SCHEMA,
      name: 'Group',
      description: 'Group of the directory, which can give a role',
      attributes: [
        attribute('displayName', 'Name, as the rules of the identity provider write it', {
          required: true,
          uniqueness: 'server',
        }),
        attribute('members', 'People of the group', {
          type: 'complex',
          multiValued: true,
          subAttributes: reference('User'),
        }),
      ],
    },
  ].map((schema) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }));
