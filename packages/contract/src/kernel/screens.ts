import type { Group } from './screen.ts';
import { DOCUMENTATION } from './screens-of-documentation.ts';
import { ENGINEERING } from './screens-of-engineering.ts';
import { JOURNEYS } from './screens-of-journeys.ts';
import { VERIFY } from './screens-of-verify.ts';

// All protected screens of the console, in the order of the main menu. CONTRIBUTING.md says what a new screen needs.
const usual = ['index', 'create', 'show', 'edit', 'delete'] as const;
const reading = ['index', 'show'] as const;
const changing = ['create', 'edit', 'delete'] as const;

/** Main menu with its screens. A key `<group>/<path>` is stored in installations, so neither may be renamed. */
export const MENU = [
  {
    title: 'dashboards',
    icon: 'gauge',
    direct: true,
    screens: [{ path: 'dashboard', icon: 'gauge', data: 'tenant', rights: { corporate_user: ['index'] } }],
  },
  {
    title: 'sms',
    icon: 'message',
    screens: [
      { path: 'send-sms', permission: 'campaigns-create', icon: 'send', data: 'tenant' },
      { path: 'inbox', data: 'tenant', rights: { corporate_user: ['index', 'reply', 'mark', 'delete', 'download'] } },
      {
        path: 'campaigns',
        data: 'tenant',
        rights: { corporate_user: ['index', 'create', 'show', 'edit', 'test'], department_admin: ['delete', 'run'] },
        pages: [
          { path: 'campaign-history/$id', title: 'campaign', permission: 'campaigns-show' },
          { path: 'campaign-tests', permission: 'campaigns-index' },
          { path: 'campaign-tests/$id', title: 'campaign-test', permission: 'campaigns-show' },
          { path: 'new-campaign-test', permission: 'campaigns-create' },
        ],
      },
      {
        path: 'pending-campaigns',
        data: 'tenant',
        rights: { corporate_user: ['index'], department_admin: ['approve', 'discard'] },
      },
      { path: 'running-campaigns', data: 'tenant', rights: { corporate_user: ['index', 'stop', 'pause'] } },
      {
        path: 'message-templates',
        area: 'templates',
        data: 'tenant',
        rights: { corporate_user: reading, department_admin: changing },
      },
      { path: 'schedule-campaigns', data: 'tenant', rights: { corporate_user: ['index', 'stop', 'reschedule'] } },
      JOURNEYS,
      VERIFY,
    ],
  },
  {
    title: 'corporations',
    icon: 'building',
    screens: [
      {
        path: 'corporations',
        data: 'tenant',
        rights: { corporate_admin: reading, reseller: changing },
        pages: [
          { path: 'corporations/$id', title: 'corporation', permission: 'corporations-show' },
          { path: 'new-customer', permission: 'corporations-create' },
        ],
      },
      { path: 'departments', data: 'tenant', rights: { department_admin: reading, corporate_admin: changing } },
      'message-templates',
      { path: 'blackout-time', data: 'tenant', rights: { corporate_admin: usual } },
      { path: 'assign-sender-ids', data: 'tenant', rights: { corporate_admin: usual } },
    ],
  },
  {
    title: 'numbers',
    icon: 'addresses',
    screens: [
      {
        path: 'number-lists',
        data: 'tenant',
        rights: { corporate_user: [...usual, 'upload', 'download'] },
        pages: [
          { path: 'numbers-{$id}', title: 'numbers', area: 'individual-numbers', rights: { corporate_user: usual } },
        ],
      },
      {
        path: 'contacts',
        data: 'tenant',
        rights: { corporate_user: [...usual, 'upload', 'download'] },
        pages: [{ path: 'contacts/$id', title: 'contact', permission: 'contacts-show' }],
      },
      { path: 'segments', data: 'tenant', rights: { corporate_user: usual } },
      { path: 'contact-fields', data: 'tenant', rights: { corporate_user: reading, corporate_admin: changing } },
      { path: 'blacklist-numbers', data: 'tenant', rights: { department_admin: [...usual, 'upload'] } },
      {
        path: 'opt-outs',
        data: 'tenant',
        rights: { corporate_user: reading, department_admin: [...changing, 'upload', 'download'] },
      },
      {
        path: 'consents',
        data: 'tenant',
        rights: { corporate_user: reading, department_admin: [...changing, 'upload'] },
      },
    ],
  },
  {
    title: 'routing',
    icon: 'route',
    screens: [
      { path: 'aliases', data: 'tenant', rights: { corporate_admin: usual } },
      { path: 'routings', data: 'tenant', rights: { corporate_admin: usual } },
      {
        path: 'callbacks',
        data: 'tenant',
        rights: { department_admin: usual },
        // The call shows the kinds of deliveries that the caller may see.
        pages: [{ path: 'http-deliveries', permission: null }],
      },
      { path: 'api-keys', data: 'tenant', rights: { department_admin: usual } },
      // For people who may make test keys.
      { path: 'virtual-handsets', data: 'tenant', permission: 'api-keys-create' },
      {
        path: 'service-accounts',
        data: 'tenant',
        rights: { department_admin: usual },
        pages: [{ path: 'service-account-keys', area: 'service-accounts' }],
      },
    ],
  },
  {
    title: 'configurations',
    icon: 'adjustments',
    screens: [
      {
        path: 'billing-accounts',
        data: 'tenant',
        rights: { department_admin: reading, reseller: [...changing, 'payment', 'suspend'] },
        pages: [{ path: 'billing-accounts/$id', title: 'billing-account', permission: 'billing-accounts-show' }],
      },
      { path: 'merchant-accounts', data: 'tenant', rights: { reseller: usual } },
      { path: 'vouchers', data: 'tenant', rights: { department_admin: ['redeem'], reseller: ['index', 'create'] } },
      {
        path: 'invoices',
        data: 'tenant',
        rights: { corporate_admin: ['index', 'show', 'download'], reseller: ['create', 'issue', 'credit'] },
        pages: [
          { path: 'invoices/$id', title: 'invoice', permission: 'invoices-show' },
          { path: 'new-invoice', permission: 'invoices-create' },
        ],
      },
      { path: 'invoice-issuers', data: 'tenant', rights: { reseller: usual } },
      { path: 'invoice-buyers', data: 'tenant', rights: { corporate_admin: reading, reseller: changing } },
      {
        path: 'sender-ids',
        data: 'tenant',
        rights: { corporate_user: reading, corporate_admin: [...changing, 'upload'], reseller: ['decide'] },
        pages: [{ path: 'sender-ids/$id', title: 'sender-id', permission: 'sender-ids-show' }],
      },
      { path: 'sender-requests', permission: 'sender-ids-decide', data: 'tenant' },
      { path: 'number-assignments', data: 'tenant', rights: { corporate_admin: ['index'], admin: ['create', 'edit'] } },
      { path: 'credit-control', data: 'tenant', rights: { reseller: ['index', 'edit'] } },
      { path: 'sending-hours', data: 'platform', rights: { admin: usual } },
      { path: 'sending-limits', data: 'tenant', rights: { department_admin: reading, corporate_admin: changing } },
      {
        path: 'price-plans',
        data: 'tenant',
        rights: { reseller: usual },
        pages: [{ path: 'margin-rules/$id', title: 'margin-rule', permission: 'price-plans-edit' }],
      },
      { path: 'promotions', data: 'tenant', rights: { reseller: ['index', 'create', 'edit'] } },
      { path: 'volume-discounts', data: 'tenant', rights: { reseller: ['index', 'create', 'edit'] } },
      {
        path: 'rate-zones',
        data: 'platform',
        rights: { reseller: ['index'], admin: ['create', 'show', 'edit', 'delete'] },
      },
      { path: 'rates', data: 'tenant', rights: { reseller: [...usual, 'upload'] } },
      { path: 'exchange-rates', data: 'platform', rights: { admin: [...usual, 'upload'] } },
      { path: 'sender-registrations', data: 'platform', rights: { admin: usual } },
      { path: 'protected-names', data: 'platform', rights: { admin: usual } },
      { path: 'blacklist-text', data: 'platform', rights: { admin: usual } },
      {
        path: 'web-domains',
        data: 'tenant',
        rights: { corporate_admin: reading, admin: changing },
        pages: [{ path: 'web-links', rights: { corporate_admin: ['index'] } }],
      },
      { path: 'moderation-rules', data: 'platform', rights: { admin: usual } },
      { path: 'languages', data: 'platform', rights: { admin: usual } },
      {
        path: 'connection-types',
        data: 'platform',
        rights: { reseller: ['index'], admin: ['create', 'show', 'edit', 'delete'] },
      },
      { path: 'smpp-system-ids', data: 'tenant', rights: { corporate_admin: usual } },
      { path: 'smpp-sessions', data: 'tenant', rights: { corporate_admin: ['index', 'unbind'] } },
    ],
  },
  {
    title: 'reports',
    icon: 'chart',
    screens: [
      {
        path: 'transactions',
        data: 'tenant',
        mailed: true,
        rights: { corporate_user: ['index', 'download'] },
        pages: [{ path: 'message-charge/$id', title: 'message-charge', permission: 'transactions-index' }],
      },
      {
        path: 'scheduled-files',
        data: 'tenant',
        rights: { corporate_admin: usual },
        pages: [{ path: 'scheduled-file-runs', permission: 'scheduled-files-show' }],
      },
      {
        path: 'campaign-history',
        data: 'tenant',
        mailed: true,
        rights: { corporate_user: ['index'], department_admin: ['download'] },
      },
      { path: 'activity-logs', data: 'tenant', rights: { corporate_admin: ['index', 'download'] } },
      { path: 'audit-streams', data: 'tenant', rights: { corporate_admin: usual } },
      {
        path: 'privacy',
        data: 'tenant',
        rights: { corporate_admin: ['index', 'create', 'download', 'erase'] },
        pages: [{ path: 'privacy/$id', title: 'person-request', permission: 'privacy-index' }],
      },
      { path: 'data-processing', data: 'tenant', rights: { corporate_admin: ['index', 'download'] } },
      { path: 'retention-rules', data: 'tenant', rights: { corporate_admin: usual } },
      { path: 'rate-details', data: 'tenant', rights: { corporate_user: ['index'], corporate_admin: ['download'] } },
      {
        path: 'summary-reports',
        data: 'tenant',
        mailed: true,
        rights: { corporate_user: ['index'], department_admin: ['download'] },
      },
      { path: 'credit-changes', data: 'tenant', rights: { department_admin: ['index', 'download'] } },
      {
        path: 'top-ups',
        data: 'tenant',
        rights: { department_admin: ['index', 'create', 'download'], reseller: ['approve', 'refund'] },
        pages: [{ path: 'top-ups/$id', title: 'top-up', permission: 'top-ups-index' }],
      },
      {
        path: 'account-transfers',
        data: 'tenant',
        rights: { corporate_admin: ['index'], reseller: ['create', 'reverse'] },
      },
      {
        path: 'margins',
        data: 'platform',
        rights: { admin: ['index', 'download'] },
        pages: [{ path: 'losses', permission: 'margins-index' }],
      },
      { path: 'resale-margins', data: 'tenant', rights: { reseller: ['index', 'download'] } },
      { path: 'closed-months', data: 'tenant', rights: { reseller: ['index', 'create'], admin: ['reopen'] } },
      {
        path: 'carrier-invoices',
        data: 'platform',
        rights: { admin: ['index', 'upload', 'delete', 'download'] },
        pages: [{ path: 'carrier-invoices/$id', title: 'carrier-invoice', permission: 'carrier-invoices-index' }],
      },
      { path: 'application-logs', data: 'platform', rights: { admin: ['index', 'download'] } },
    ],
  },
  {
    title: 'administration',
    icon: 'shield',
    screens: [
      { path: 'roles', data: 'platform', rights: { admin: usual } },
      { path: 'permissions', data: 'platform', rights: { admin: usual } },
      { path: 'assign-permissions', data: 'platform', rights: { admin: ['index', 'edit'] } },
      {
        path: 'teams',
        data: 'tenant',
        rights: { reseller: ['index', 'show', 'edit'], admin: ['create', 'delete', 'assign'] },
        pages: [{ path: 'teams/$id', title: 'team', permission: 'teams-show' }],
      },
      {
        path: 'users',
        data: 'tenant',
        rights: {
          department_admin: reading,
          corporate_admin: [...changing, 'reset-password', 'unlock', 'supervisors'],
          reseller: ['support'],
        },
        pages: [{ path: 'users/$id', title: 'user', permission: 'users-show' }],
      },
      { path: 'identity-providers', data: 'tenant', rights: { corporate_admin: usual } },
      { path: 'sign-in-policies', data: 'tenant', rights: { corporate_admin: usual } },
      { path: 'give-permissions', data: 'tenant', rights: { corporate_admin: ['index', 'edit'] } },
      { path: 'menus', area: 'menu', data: 'platform', rights: { admin: usual } },
      { path: 'global-configurations', data: 'platform', rights: { admin: usual } },
    ],
  },
  ENGINEERING,
  DOCUMENTATION,
] as const satisfies readonly Group[];
