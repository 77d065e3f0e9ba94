import * as menu from './access/menu.ts';
import * as permissions from './access/permission.ts';
import * as users from './access/user.ts';
import * as apiKeys from './api/api-key.ts';
import * as activity from './audit/activity-log.ts';
import * as billing from './billing/billing-account.ts';
import * as creditChange from './billing/credit-change.ts';
import { pricePlan } from './billing/price-plan.ts';
import { rate } from './billing/rate.ts';
import * as rateCard from './billing/rate-card.ts';
import * as rateDetail from './billing/rate-detail.ts';
import { rateZone } from './billing/rate-zone.ts';
import * as callbacks from './callbacks/callback.ts';
import * as campaigns from './campaigns/campaign.ts';
import * as campaignDrafts from './campaigns/draft.ts';
import * as quotes from './campaigns/quote.ts';
import * as recipientFiles from './campaigns/recipient-file.ts';
import * as sendingOptions from './campaigns/sending-options.ts';
import * as blacklist from './contacts/blacklist-number.ts';
import * as listJobs from './contacts/list-job.ts';
import * as contacts from './contacts/number-list.ts';
import * as optOuts from './contacts/opt-out.ts';
import { testConnectivity } from './delivery/connectivity-test.ts';
import { dashboard } from './delivery/dashboard.ts';
import * as links from './delivery/link.ts';
import * as reports from './delivery/transaction.ts';
import * as articles from './documentation/article.ts';
import { changeLog } from './documentation/change-log.ts';
import * as documentation from './documentation/reader.ts';
import * as password from './identity/password.ts';
import * as session from './identity/session.ts';
import * as twoFactor from './identity/two-factor.ts';
import * as inbox from './inbox/inbox-message.ts';
import * as bulkUploads from './kernel/bulk-upload.ts';
import * as fileReadings from './kernel/file-reading.ts';
import type { Operation } from './kernel/operation.ts';
import type { AnyResource } from './kernel/resource.ts';
import * as savedViews from './kernel/saved-view.ts';
import { drainNode, nodes, resumeNode } from './nodes/node.ts';
import * as downloads from './notifications/download.ts';
import { blackoutTime } from './organizations/blackout-time.ts';
import { corporation } from './organizations/corporation.ts';
import { department } from './organizations/department.ts';
import * as switchOff from './organizations/switch-off.ts';
import * as teams from './organizations/team.ts';
import * as applicationLog from './reports/application-log.ts';
import * as campaignHistory from './reports/campaign-history.ts';
import * as summaryReport from './reports/summary-report.ts';
import { alias } from './routing/alias.ts';
import * as carrierRoutes from './routing/carrier-route.ts';
import * as routings from './routing/routing.ts';
import { senderAssignment } from './senders/sender-assignment.ts';
import * as senders from './senders/sender-id.ts';
import { blacklistText } from './settings/blacklist-text.ts';
import { connectionType } from './settings/connection-type.ts';
import { globalConfiguration } from './settings/global-configuration.ts';
import * as languages from './settings/language-line.ts';
import { smppSessions, unbindSession } from './smpp-server/session.ts';
import { systemId } from './smpp-server/system-id.ts';
import { messageTemplate } from './templates/message-template.ts';

/** All kinds of records with the five usual operations. */
export const RESOURCES: readonly AnyResource[] = [
  corporation,
  department,
  blackoutTime,
  messageTemplate,
  teams.team,
  users.user,
  permissions.role,
  permissions.permission,
  menu.menu,
  senders.senderId,
  senderAssignment,
  carrierRoutes.carrierRoute,
  alias,
  routings.routing,
  callbacks.callback,
  apiKeys.apiKey,
  pricePlan,
  rateZone,
  rate,
  billing.billingAccount,
  contacts.numberList,
  contacts.listNumber,
  blacklist.blacklistNumber,
  optOuts.optOut,
  blacklistText,
  connectionType,
  globalConfiguration,
  languages.languageLine,
  links.link,
  systemId,
  articles.article,
  changeLog,
];

const isOperation = (x: unknown): x is Operation =>
  typeof x === 'object' && x !== null && 'method' in x && 'path' in x && 'reply' in x;

/** All calls that are not one of a resource's five. */
export const OPERATIONS: readonly Operation[] = [
  session,
  password,
  twoFactor,
  users,
  permissions,
  menu,
  activity,
  switchOff,
  teams,
  billing,
  creditChange,
  rateCard,
  rateDetail,
  campaigns,
  campaignDrafts,
  quotes,
  recipientFiles,
  sendingOptions,
  contacts,
  blacklist,
  optOuts,
  listJobs,
  bulkUploads,
  fileReadings,
  senders,
  languages,
  { dashboard, testConnectivity },
  { smppSessions, unbindSession },
  { nodes, drainNode, resumeNode },
  links,
  reports,
  summaryReport,
  campaignHistory,
  applicationLog,
  savedViews,
  carrierRoutes,
  routings,
  callbacks,
  apiKeys,
  inbox,
  downloads,
  articles,
  documentation,
]
  .flatMap((module) => Object.values(module))
  .filter(isOperation);

/** All calls of the console. */
export const ALL_OPERATIONS: readonly Operation[] = [
  ...RESOURCES.flatMap((r) => [r.list, r.get, r.createOne, r.updateOne, r.removeOne]),
  ...OPERATIONS,
];
