// The keys of all texts, read from the English files, so that a missing or misspelled key is a compile error.

import type access from '../../messages/en/access.json';
import type api from '../../messages/en/api.json';
import type audience from '../../messages/en/audience.json';
import type audit from '../../messages/en/audit.json';
import type billing from '../../messages/en/billing.json';
import type campaigns from '../../messages/en/campaigns.json';
import type carrierCosts from '../../messages/en/carrier-costs.json';
import type carrierInvoices from '../../messages/en/carrier-invoices.json';
import type carrierQuality from '../../messages/en/carrier-quality.json';
import type carrierRoutes from '../../messages/en/carrier-routes.json';
import type contacts from '../../messages/en/contacts.json';
import type delivery from '../../messages/en/delivery.json';
import type documentation from '../../messages/en/documentation.json';
import type exchangeRates from '../../messages/en/exchange-rates.json';
import type identity from '../../messages/en/identity.json';
import type inboundRouting from '../../messages/en/inbound-routing.json';
import type inbox from '../../messages/en/inbox.json';
import type invoices from '../../messages/en/invoices.json';
import type journeys from '../../messages/en/journeys.json';
import type kernel from '../../messages/en/kernel.json';
import type links from '../../messages/en/links.json';
import type margins from '../../messages/en/margins.json';
import type moderation from '../../messages/en/moderation.json';
import type networks from '../../messages/en/networks.json';
import type notifications from '../../messages/en/notifications.json';
import type numberLookups from '../../messages/en/number-lookups.json';
import type operate from '../../messages/en/operate.json';
import type organizations from '../../messages/en/organizations.json';
import type policy from '../../messages/en/policy.json';
import type privacy from '../../messages/en/privacy.json';
import type reports from '../../messages/en/reports.json';
import type sandbox from '../../messages/en/sandbox.json';
import type scheduledFiles from '../../messages/en/scheduled-files.json';
import type senders from '../../messages/en/senders.json';
import type settings from '../../messages/en/settings.json';
import type shell from '../../messages/en/shell.json';
import type singleSignOn from '../../messages/en/single-sign-on.json';
import type templates from '../../messages/en/templates.json';
import type topUps from '../../messages/en/top-ups.json';
import type verify from '../../messages/en/verify.json';

type Files =
  | typeof access
  | typeof api
  | typeof audience
  | typeof audit
  | typeof billing
  | typeof campaigns
  | typeof carrierQuality
  | typeof carrierCosts
  | typeof carrierInvoices
  | typeof carrierRoutes
  | typeof contacts
  | typeof delivery
  | typeof documentation
  | typeof exchangeRates
  | typeof identity
  | typeof inboundRouting
  | typeof inbox
  | typeof invoices
  | typeof journeys
  | typeof kernel
  | typeof links
  | typeof margins
  | typeof moderation
  | typeof networks
  | typeof notifications
  | typeof numberLookups
  | typeof operate
  | typeof organizations
  | typeof policy
  | typeof privacy
  | typeof reports
  | typeof sandbox
  | typeof scheduledFiles
  | typeof senders
  | typeof settings
  | typeof shell
  | typeof singleSignOn
  | typeof templates
  | typeof topUps
  | typeof verify;

/** A key without its plural suffix, if both English forms are there. */
type Base<Key extends string, Group> = Key extends `${infer Stem}_one`
  ? `${Stem}_other` extends keyof Group
    ? Stem
    : Key
  : Key extends `${infer Stem}_other`
    ? `${Stem}_one` extends keyof Group
      ? Stem
      : Key
    : Key;

type KeysOf<Group, Prefix extends string = ''> = {
  [Key in keyof Group & string]: Group[Key] extends string
    ? `${Prefix}${Base<Key, Group>}`
    : KeysOf<Group[Key], `${Prefix}${Key}.`>;
}[keyof Group & string];

type GroupsOf<Group, Prefix extends string = ''> = {
  [Key in keyof Group & string]: Group[Key] extends string
    ? never
    : `${Prefix}${Key}` | GroupsOf<Group[Key], `${Prefix}${Key}.`>;
}[keyof Group & string];

type OfEach<File> = File extends unknown ? KeysOf<File> : never;
type GroupsOfEach<File> = File extends unknown ? GroupsOf<File> : never;

/** Key of a text, such as `actions.save`; a text with plural forms has one key. */
export type MessageKey = OfEach<Files>;

/** A group of texts, such as `resources.users.fields`. */
export type MessageGroup = GroupsOfEach<Files>;

/**
 * Returns the key of a text whose last parts come from values. Use it only where the compiler cannot list the values, such as
 * codes from the server. A caller that may get an unknown value asks first whether the text exists.
 */
export const keyIn = (group: MessageGroup, ...parts: (string | number | null)[]): MessageKey =>
  [group, ...parts].join('.') as MessageKey;
