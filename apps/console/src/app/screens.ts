import type { ComponentType } from 'react';

/** One protected screen; its title is `menu.<title>`. */
export interface Screen {
  /** Path without the leading slash; `{$id}` stands for an id. */
  path: string;
  /** Permission that the screen requires; null if a login is enough. */
  permission: string | null;
  title: string;
  /** Menu entry that the screen belongs to, if it has no entry of its own. */
  under: string;
  load: () => Promise<ComponentType>;
  /** Set if the screen hides top bar and menu. */
  bare?: true;
}

const screen = (
  path: string,
  permission: string | null,
  load: Screen['load'],
  title = path,
  under = title,
): Screen => ({ path, permission, title, under, load });

/** All protected screens; the menu shows only entries of these. */
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
  screen('inbox', 'inbox-index', async () => (await import('../modules/inbox/inbox.tsx')).Inbox),
  screen('routings', 'routings-index', async () => (await import('../modules/routing/routings.tsx')).Routings),
  screen('api-keys', 'api-keys-index', async () => (await import('../modules/api/api-keys.tsx')).ApiKeys),
  screen('callbacks', 'callbacks-index', async () => (await import('../modules/callbacks/callbacks.tsx')).Callbacks),
  screen('aliases', 'aliases-index', async () => (await import('../modules/routing/aliases.tsx')).Aliases),
  screen('sender-ids', 'sender-ids-index', async () => (await import('../modules/senders/sender-ids.tsx')).SenderIds),
  screen('languages', 'languages-index', async () => (await import('../modules/settings/languages.tsx')).Languages),
  screen(
    'connection-types',
    'connection-types-index',
    async () => (await import('../modules/settings/connection-types.tsx')).ConnectionTypes,
  ),
  screen(
    'smpp-system-ids',
    'smpp-system-ids-index',
    async () => (await import('../modules/smpp-server/system-ids.tsx')).SystemIds,
  ),
  screen(
    'smpp-sessions',
    'smpp-sessions-index',
    async () => (await import('../modules/smpp-server/sessions.tsx')).SmppSessions,
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
  screen('opt-outs', 'opt-outs-index', async () => (await import('../modules/contacts/opt-outs.tsx')).OptOuts),
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
    'schedule-campaigns',
    'schedule-campaigns-index',
    async () => (await import('../modules/campaigns/scheduled-campaigns.tsx')).ScheduledCampaigns,
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
    'campaign-history',
    'campaign-history-index',
    async () => (await import('../modules/reports/campaign-history.tsx')).CampaignHistory,
  ),
  screen(
    'summary-reports',
    'summary-reports-index',
    async () => (await import('../modules/reports/summary-reports.tsx')).SummaryReports,
  ),
  screen(
    'application-logs',
    'application-logs-index',
    async () => (await import('../modules/reports/application-logs.tsx')).ApplicationLogs,
  ),
  screen(
    'connectivity-test',
    'connectivity-test-index',
    async () => (await import('../modules/reports/connectivity-test.tsx')).ConnectivityTest,
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
  screen('nodes', 'nodes-index', async () => (await import('../modules/nodes/nodes.tsx')).Nodes),
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
  screen('articles', 'articles-index', async () => (await import('../modules/documentation/articles.tsx')).Articles),
  screen(
    'change-log',
    'change-log-index',
    async () => (await import('../modules/documentation/change-log.tsx')).ChangeLog,
  ),
  {
    ...screen(
      'documentation',
      'documentation-view',
      async () => (await import('../modules/documentation/document.tsx')).Documentation,
    ),
    bare: true,
  },
  {
    ...screen(
      'document/$id',
      'documentation-view',
      async () => (await import('../modules/documentation/document.tsx')).Document,
      'documentation',
    ),
    bare: true,
  },
  {
    ...screen(
      'api-reference',
      'documentation-view',
      async () => (await import('../modules/documentation/api-reference.tsx')).ApiReference,
      'api-reference',
      'documentation',
    ),
    bare: true,
  },
  {
    ...screen(
      'change-logs/$id',
      'documentation-view',
      async () => (await import('../modules/documentation/change-logs.tsx')).ChangeLogs,
      'change-log',
    ),
    bare: true,
  },
  screen('profile', null, async () => (await import('../modules/identity/profile.tsx')).Profile),
];
