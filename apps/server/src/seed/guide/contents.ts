/** Part of the guide, with its articles; the key of an article names its Markdown file. */
interface GuidePart {
  key: string;
  title: string;
  articles: readonly GuideEntry[];
}
/** Key of the article (the screen's route name if it explains a screen), and the right that its readers hold. */
type GuideEntry = readonly [key: string, permission?: string];

/**
 * Guide that every installation has, in the order of the main menu. An article with a right is there once its screen
 * is.
 */
export const GUIDE: readonly GuidePart[] = [
  {
    key: 'part-first-steps',
    title: 'First steps',
    articles: [
      ['getting-started'],
      ['finding-your-way'],
      ['profile'],
      ['message-parts'],
      ['delivery-statuses'],
      ['figures'],
      ['money-words'],
      ['roles-and-permissions'],
    ],
  },
  {
    key: 'part-sms',
    title: 'SMS',
    articles: [
      ['dashboard', 'dashboard-index'],
      ['send-sms', 'campaigns-create'],
      ['inbox', 'inbox-index'],
      ['campaigns', 'campaigns-index'],
      ['pending-campaigns', 'pending-campaigns-index'],
      ['running-campaigns', 'running-campaigns-index'],
      ['message-templates', 'templates-index'],
      ['schedule-campaigns', 'schedule-campaigns-index'],
    ],
  },
  {
    key: 'part-corporations',
    title: 'Corporations',
    articles: [
      ['corporations', 'corporations-index'],
      ['departments', 'departments-index'],
      ['blackout-time', 'blackout-time-index'],
      ['assign-sender-ids', 'assign-sender-ids-index'],
    ],
  },
  {
    key: 'part-numbers',
    title: 'Numbers',
    articles: [
      ['number-lists', 'number-lists-index'],
      ['blacklist-numbers', 'blacklist-numbers-index'],
      ['opt-outs', 'opt-outs-index'],
    ],
  },
  {
    key: 'part-routing',
    title: 'Routing',
    articles: [
      ['aliases', 'aliases-index'],
      ['routings', 'routings-index'],
      ['callbacks', 'callbacks-index'],
      ['api-keys', 'api-keys-index'],
    ],
  },
  {
    key: 'part-configurations',
    title: 'Configurations',
    articles: [
      ['billing-accounts', 'billing-accounts-index'],
      ['sender-ids', 'sender-ids-index'],
      ['price-plans', 'price-plans-index'],
      ['rate-zones', 'rate-zones-index'],
      ['rates', 'rates-index'],
      ['blacklist-text', 'blacklist-text-index'],
      ['languages', 'languages-index'],
      ['connection-types', 'connection-types-index'],
      ['smpp-system-ids', 'smpp-system-ids-index'],
      ['smpp-sessions', 'smpp-sessions-index'],
    ],
  },
  {
    key: 'part-reports',
    title: 'Reports',
    articles: [
      ['transactions', 'transactions-index'],
      ['campaign-history', 'campaign-history-index'],
      ['activity-logs', 'activity-logs-index'],
      ['rate-details', 'rate-details-index'],
      ['summary-reports', 'summary-reports-index'],
      ['credit-changes', 'credit-changes-index'],
      ['application-logs', 'application-logs-index'],
    ],
  },
  {
    key: 'part-administration',
    title: 'Administration',
    articles: [
      ['roles', 'roles-index'],
      ['permissions', 'permissions-index'],
      ['assign-permissions', 'assign-permissions-index'],
      ['teams', 'teams-index'],
      ['users', 'users-index'],
      ['give-permissions', 'give-permissions-index'],
      ['menus', 'menu-index'],
      ['global-configurations', 'global-configurations-index'],
    ],
  },
  {
    key: 'part-engineering',
    title: 'Engineering',
    articles: [
      ['links', 'links-index'],
      ['carrier-routes', 'carrier-routes-index'],
      ['nodes', 'nodes-index'],
      ['connectivity-test', 'connectivity-test-index'],
    ],
  },
  {
    key: 'part-programs',
    title: 'For programs',
    articles: [
      ['api-first-message'],
      ['api-sending'],
      ['api-batches'],
      ['api-idempotency'],
      ['api-errors'],
      ['api-callbacks'],
      ['api-events'],
      ['api-smpp'],
    ],
  },
  {
    key: 'part-documentation',
    title: 'Documentation',
    articles: [
      ['articles', 'articles-index'],
      ['change-log', 'change-log-index'],
    ],
  },
];
