import { menu } from './access/menu.ts';
import { permission, role } from './access/permission.ts';
import { user } from './access/user.ts';
import { apiKey } from './api/api-key.ts';
import { serviceAccount, serviceAccountKey } from './api/service-account.ts';
import { contact } from './audience/contact.ts';
import { contactField } from './audience/contact-field.ts';
import { segment } from './audience/segment.ts';
import { auditStream } from './audit/audit-stream.ts';
import { billingAccount } from './billing/billing-account.ts';
import { pricePlan } from './billing/price-plan.ts';
import { rate } from './billing/rate.ts';
import { rateZone } from './billing/rate-zone.ts';
import { callback } from './callbacks/callback.ts';
import { carrierCard } from './carrier-costs/carrier-card.ts';
import { carrierRate } from './carrier-costs/carrier-rate.ts';
import { carrierRoute } from './carrier-routes/carrier-route.ts';
import { blacklistNumber } from './contacts/blacklist-number.ts';
import { listNumber, numberList } from './contacts/number-list.ts';
import { optOut } from './contacts/opt-out.ts';
import { article } from './documentation/article.ts';
import { changeLog } from './documentation/change-log.ts';
import { exchangeRate } from './exchange-rates/exchange-rate.ts';
import { signInPolicy } from './identity/sign-in-policy.ts';
import { alias } from './inbound-routing/alias.ts';
import { routing } from './inbound-routing/routing.ts';
import { invoiceBuyer } from './invoices/invoice-buyer.ts';
import { invoiceIssuer } from './invoices/invoice-issuer.ts';
import { journey } from './journeys/journey.ts';
import type { AnyResource } from './kernel/resource.ts';
import { link } from './links/link.ts';
import { testNumber } from './links/test-number.ts';
import { moderationRule } from './moderation/moderation.ts';
import { webDomain } from './moderation/web-domain.ts';
import { network } from './networks/network.ts';
import { numberSource } from './number-lookups/number-source.ts';
import { blackoutTime } from './organizations/blackout-time.ts';
import { corporation } from './organizations/corporation.ts';
import { department } from './organizations/department.ts';
import { team } from './organizations/team.ts';
import { consent } from './policy/consent.ts';
import { sendingHours } from './policy/sending-hours.ts';
import { sendingLimit } from './policy/sending-limit.ts';
import { retentionRule } from './privacy/retention-rule.ts';
import { scheduledFile } from './scheduled-files/scheduled-file.ts';
import { protectedName } from './senders/protected-name.ts';
import { senderAssignment } from './senders/sender-assignment.ts';
import { senderId } from './senders/sender-id.ts';
import { senderRegistration } from './senders/sender-registration.ts';
import { blacklistText } from './settings/blacklist-text.ts';
import { connectionType } from './settings/connection-type.ts';
import { globalConfiguration } from './settings/global-configuration.ts';
import { languageLine } from './settings/language-line.ts';
import { identityProvider } from './single-sign-on/identity-provider.ts';
import { systemId } from './smpp-server/system-id.ts';
import { messageTemplate } from './templates/message-template.ts';
import { merchantAccount } from './top-ups/merchant-account.ts';
import { verifyService } from './verify/verify-service.ts';

/** All kinds of records with the five usual operations. */
export const RESOURCES: readonly AnyResource[] = [
  corporation,
  department,
  blackoutTime,
  messageTemplate,
  team,
  user,
  identityProvider,
  signInPolicy,
  role,
  permission,
  menu,
  senderId,
  senderAssignment,
  senderRegistration,
  consent,
  protectedName,
  testNumber,
  sendingHours,
  sendingLimit,
  carrierRoute,
  network,
  numberSource,
  alias,
  routing,
  callback,
  apiKey,
  serviceAccount,
  serviceAccountKey,
  pricePlan,
  rateZone,
  rate,
  exchangeRate,
  billingAccount,
  merchantAccount,
  scheduledFile,
  auditStream,
  retentionRule,
  invoiceIssuer,
  invoiceBuyer,
  numberList,
  listNumber,
  contactField,
  segment,
  journey,
  verifyService,
  contact,
  blacklistNumber,
  optOut,
  blacklistText,
  webDomain,
  moderationRule,
  connectionType,
  globalConfiguration,
  languageLine,
  link,
  carrierCard,
  carrierRate,
  systemId,
  article,
  changeLog,
];
