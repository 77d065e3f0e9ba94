import type { ComponentType } from 'react';

/** One protected screen; its title is `menu.<title>`. */
export interface Screen {
  /** Path without the leading slash; `{$id}` stands for an id. */
  path: string;
  /** Null where a login is enough. */
  permission: string | null;
  title: string;
  /** The menu's entry it belongs to, where it has none of its own. */
  under: string;
  load: () => Promise<ComponentType>;
}

const screen = (
  path: string,
  permission: string | null,
  load: Screen['load'],
  title = path,
  under = title,
): Screen => ({ path, permission, title, under, load });

/** Every protected screen there is; the menu shows entries of these alone. */
export const SCREENS: readonly Screen[] = [
  screen('dashboard', 'dashboard-index', async () => (await import('../modules/dashboard/dashboard.tsx')).Dashboard),
  screen(
    'corporations',
    'corporations-index',
    async () => (await import('../modules/organizations/corporations.tsx')).Corporations,
  ),
  screen(
    'departments',
    'departments-index',
    async () => (await import('../modules/organizations/departments.tsx')).Departments,
  ),
  screen(
    'message-templates',
    'templates-index',
    async () => (await import('../modules/templates/message-templates.tsx')).MessageTemplates,
  ),
  screen(
    'blackout-time',
    'blackout-time-index',
    async () => (await import('../modules/organizations/blackout-times.tsx')).BlackoutTimes,
  ),
  screen(
    'assign-sender-ids',
    'assign-sender-ids-index',
    async () => (await import('../modules/senders/assign-sender-ids.tsx')).AssignSenderIds,
  ),
  screen('aliases', 'aliases-index', async () => (await import('../modules/routing/aliases.tsx')).Aliases),
  screen('sender-ids', 'sender-ids-index', async () => (await import('../modules/senders/sender-ids.tsx')).SenderIds),
  screen('languages', 'languages-index', async () => (await import('../modules/settings/languages.tsx')).Languages),
  screen(
    'connection-types',
    'connection-types-index',
    async () => (await import('../modules/settings/connection-types.tsx')).ConnectionTypes,
  ),
  screen(
    'global-configurations',
    'global-configurations-index',
    async () => (await import('../modules/settings/global-configurations.tsx')).GlobalConfigurations,
  ),
  screen(
    'billing-accounts',
    'billing-accounts-index',
    async () => (await import('../modules/billing/billing-accounts.tsx')).BillingAccounts,
  ),
  screen(
    'price-plans',
    'price-plans-index',
    async () => (await import('../modules/billing/price-plans.tsx')).PricePlans,
  ),
  screen('rate-zones', 'rate-zones-index', async () => (await import('../modules/billing/rate-zones.tsx')).RateZones),
  screen('rates', 'rates-index', async () => (await import('../modules/billing/rates.tsx')).Rates),
  screen(
    'number-lists',
    'number-lists-index',
    async () => (await import('../modules/contacts/number-lists.tsx')).NumberLists,
  ),
  screen(
    'numbers-{$id}',
    'individual-numbers-index',
    async () => (await import('../modules/contacts/numbers.tsx')).Numbers,
    'numbers',
    'number-lists',
  ),
  screen(
    'blacklist-numbers',
    'blacklist-numbers-index',
    async () => (await import('../modules/contacts/blacklist-numbers.tsx')).BlacklistNumbers,
  ),
  screen(
    'blacklist-text',
    'blacklist-text-index',
    async () => (await import('../modules/settings/blacklist-text.tsx')).BlacklistText,
  ),
  screen(
    'send-sms',
    'campaigns-create',
    async () => (await import('../modules/campaigns/composer/send-sms.tsx')).SendSms,
  ),
  screen('campaigns', 'campaigns-index', async () => (await import('../modules/campaigns/campaigns.tsx')).Campaigns),
  screen(
    'campaign-history/$id',
    'campaigns-show',
    async () => (await import('../modules/campaigns/campaign.tsx')).CampaignPage,
    'campaign',
    'campaigns',
  ),
  screen(
    'running-campaigns',
    'running-campaigns-index',
    async () => (await import('../modules/campaigns/running-campaigns.tsx')).RunningCampaigns,
  ),
  screen(
    'pending-campaigns',
    'pending-campaigns-index',
    async () => (await import('../modules/campaigns/pending-campaigns.tsx')).PendingCampaigns,
  ),
  screen(
    'transactions',
    'transactions-index',
    async () => (await import('../modules/delivery/transactions.tsx')).Transactions,
  ),
  screen(
    'credit-changes',
    'credit-changes-index',
    async () => (await import('../modules/billing/credit-changes.tsx')).CreditChanges,
  ),
  screen(
    'rate-details',
    'rate-details-index',
    async () => (await import('../modules/billing/rate-details.tsx')).RateDetails,
  ),
  screen(
    'message-charge/$id',
    'transactions-index',
    async () => (await import('../modules/billing/message-charge.tsx')).MessageCharge,
    'message-charge',
    'transactions',
  ),
  screen('links', 'links-index', async () => (await import('../modules/links/links.tsx')).Links),
  screen('links/$id', 'links-show', async () => (await import('../modules/links/link.tsx')).LinkPage, 'link', 'links'),
  screen(
    'carrier-routes',
    'carrier-routes-index',
    async () => (await import('../modules/routing/carrier-routes.tsx')).CarrierRoutes,
  ),
  screen('users', 'users-index', async () => (await import('../modules/access/users.tsx')).Users),
  screen('users/$id', 'users-show', async () => (await import('../modules/access/user.tsx')).UserPage, 'user', 'users'),
  screen('roles', 'roles-index', async () => (await import('../modules/access/roles.tsx')).Roles),
  screen(
    'permissions',
    'permissions-index',
    async () => (await import('../modules/access/permissions.tsx')).Permissions,
  ),
  screen(
    'assign-permissions',
    'assign-permissions-index',
    async () => (await import('../modules/access/assign-permissions.tsx')).AssignPermissions,
  ),
  screen(
    'give-permissions',
    'give-permissions-index',
    async () => (await import('../modules/access/give-permissions.tsx')).GivePermissions,
  ),
  screen('teams', 'teams-index', async () => (await import('../modules/organizations/teams.tsx')).Teams),
  screen(
    'teams/$id',
    'teams-show',
    async () => (await import('../modules/organizations/team.tsx')).TeamPage,
    'team',
    'teams',
  ),
  screen('menus', 'menu-index', async () => (await import('../modules/access/menus.tsx')).Menus),
  screen(
    'activity-logs',
    'activity-logs-index',
    async () => (await import('../modules/audit/activity-logs.tsx')).ActivityLogs,
  ),
  screen('profile', null, async () => (await import('../modules/identity/profile.tsx')).Profile),
];
