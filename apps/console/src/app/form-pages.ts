import type { ComponentType } from 'react';
import type { WITH_EDIT_PAGE, WITH_FORM_PAGE } from './screens.ts';

/** Forms that are pages of their own, by the screen of their list: those of resources with groups of fields. */
export const FORM_PAGES: Readonly<
  Record<(typeof WITH_FORM_PAGE | typeof WITH_EDIT_PAGE)[number], () => Promise<ComponentType>>
> = {
  users: async () => (await import('../modules/access/user-form.tsx')).UserForm,
  'identity-providers': async () => (await import('../modules/single-sign-on/provider-form.tsx')).ProviderForm,
  roles: async () => (await import('../modules/access/role-form.tsx')).RoleForm,
  'billing-accounts': async () => (await import('../modules/billing/billing-account-form.tsx')).BillingAccountForm,
  'invoice-issuers': async () => (await import('../modules/invoices/issuers.tsx')).InvoiceIssuerForm,
  'invoice-buyers': async () => (await import('../modules/invoices/buyers.tsx')).InvoiceBuyerForm,
  routings: async () => (await import('../modules/inbound-routing/routing-form.tsx')).RoutingForm,
  'moderation-rules': async () => (await import('../modules/moderation/moderation-rules.tsx')).ModerationRuleForm,
  'retention-rules': async () => (await import('../modules/privacy/retention-rules.tsx')).RetentionRuleForm,
  'sign-in-policies': async () => (await import('../modules/identity/sign-in-policies.tsx')).SignInPolicyForm,
  'carrier-routes': async () => (await import('../modules/carrier-routes/route-form.tsx')).CarrierRouteForm,
  links: async () => (await import('../modules/links/link-form.tsx')).LinkForm,
  corporations: async () => (await import('../modules/organizations/corporation-form.tsx')).CorporationForm,
  'price-plans': async () => (await import('../modules/billing/price-plan-form.tsx')).PricePlanForm,
  'smpp-system-ids': async () => (await import('../modules/smpp-server/system-id-form.tsx')).SystemIdForm,
  'audit-streams': async () => (await import('../modules/audit-streams/audit-streams.tsx')).AuditStreamForm,
  'scheduled-files': async () => (await import('../modules/scheduled-files/scheduled-file-form.tsx')).ScheduledFileForm,
  articles: async () => (await import('../modules/documentation/article-form.tsx')).ArticleForm,
  'verify-services': async () => (await import('../modules/verify/verify-service-form.tsx')).VerifyServiceForm,
  teams: async () => (await import('../modules/organizations/team-form.tsx')).TeamForm,
};
