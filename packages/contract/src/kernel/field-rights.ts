/**
 * Right to change a field of a record:
 * - `any`: everybody who may edit the record.
 * - `rule`: everybody who may edit the record, within a rule of its module.
 * - `platform`: the platform's people.
 * - `above`: the platform's people and the reseller of the corporation, never the corporation itself.
 * - `{ open }`: everybody who may edit the record. A value other than the open one can be changed only by somebody at
 *   least as high as the person who set it. With `above`, never by the corporation itself.
 */
export type FieldRight =
  | 'any'
  | 'rule'
  | 'platform'
  | 'above'
  | { readonly open: boolean | number | null; readonly above?: true };

const ON = { open: true } as const;
const OFF = { open: false } as const;
const NO_LIMIT = { open: null } as const;

/** Rights to change fields, by record and field; `platform` for records of the platform as a whole. */
export const FIELD_RIGHTS: Readonly<Record<string, 'platform' | Readonly<Record<string, FieldRight>>>> = {
  corporations: {
    // Names of the platform's own customers are unique: a corporation could try names to find out who they are.
    name: 'above',
    currency: 'above',
    timezone: 'any',
    callback_url: 'any',
    sales_code: 'above',
    throughput: { open: null, above: true },
    api_throughput: { open: null, above: true },
    campaign_alerts: 'any',
    opt_out_message: 'any',
    enabled: { open: true, above: true },
    with_customers: 'platform',
    web_links: 'platform',
  },
  departments: { name: 'any', callback_url: 'any', signature: 'any', enabled: ON },
  'blackout-time': { start_time: 'any', end_time: 'any', programs: 'any', enabled: 'any' },
  'message-templates': { name: 'any', template: 'any' },
  teams: {
    app_name: 'rule',
    base_url: 'platform',
    theme_color: 'any',
    email_address: 'any',
    mail_server: 'any',
    mail_port: 'any',
    mail_security: 'any',
    mail_user: 'any',
    link_id: 'platform',
    email_password: 'any',
  },
  users: {
    name: 'any',
    email: 'any',
    phone: 'any',
    corporation_id: 'rule',
    department_id: 'rule',
    billing_account_id: 'rule',
    preferred_language: 'any',
    permission_template: 'rule',
    role_id: 'rule',
    scope_level: 'rule',
    landing_page: 'rule',
    connection_type_id: 'rule',
    otp: OFF,
    content_visible: ON,
    enabled: ON,
    skip_blacklist: 'rule',
    skip_signature: 'rule',
    skip_blackout: 'rule',
  },
  roles: { name: 'rule', guard: 'rule', level: 'rule' },
  permissions: 'platform',
  menus: 'platform',
  'sender-ids': {
    sender_id: 'rule',
    enabled: ON,
    is_promotional: OFF,
    add_optout: OFF,
    throughput: NO_LIMIT,
    optout_keyword: 'any',
    purpose: 'any',
  },
  'sending-hours': 'platform',
  // The person who made the limit holds its amount: nobody below may change or delete it.
  'sending-limits': { name: 'any', messages: NO_LIMIT, spend: NO_LIMIT, enabled: ON },
  'assign-sender-ids': { sender_id_id: 'rule' },
  'carrier-routes': 'platform',
  aliases: { word: 'any', aliases: 'any', enabled: ON },
  routings: {
    number: 'rule',
    keyword: 'rule',
    action: 'any',
    campaign_name: 'any',
    valid_replies: 'any',
    valid_reply_message: 'any',
    invalid_reply_message: 'any',
    sender_id_id: 'rule',
    user_id: 'rule',
    url: 'rule',
    method: 'any',
    body_format: 'any',
    username: 'any',
    reply_with_answer: 'any',
    enabled: ON,
    password: 'any',
  },
  callbacks: { url: 'rule', types: 'any', description: 'any', enabled: ON },
  'api-keys': { name: 'any', scopes: 'rule', allowed_ips: 'any', read_national: 'any' },
  'price-plans': {
    name: 'rule',
    description: 'rule',
    type: 'rule',
    default_charge: 'rule',
    credit_limit: 'rule',
    monthly_plan: 'rule',
    monthly_commitment: 'rule',
    enabled: 'rule',
    starts_on: 'rule',
    expires_on: 'rule',
  },
  'rate-zones': 'platform',
  rates: { charge: 'rule', enabled: 'rule', starts_on: 'rule', ends_on: 'rule' },
  'billing-accounts': {
    name: 'above',
    key: 'above',
    price_plan_id: 'above',
    sms_validity: 'above',
    charge_on_delivery: 'above',
    flash_allowed: { open: true, above: true },
    content_visible: { open: true, above: true },
    enabled: { open: true, above: true },
    suspended: { open: false, above: true },
    cost_warning_limit: 'above',
    low_balance_limit: 'above',
    credit_limit: 'above',
    monthly_plan: 'above',
    monthly_commitment: 'above',
  },
  'number-lists': { name: 'any', enabled: 'any', private: 'any' },
  numbers: {
    number: 'any',
    name: 'any',
    ...Object.fromEntries(Array.from({ length: 9 }, (_, place) => [`param${place + 1}`, 'any'] as const)),
  },
  'blacklist-numbers': { sender_id_id: 'rule', channel: 'any', number: 'any' },
  'opt-outs': { note: 'any' },
  'blacklist-text': 'platform',
  'moderation-rules': 'platform',
  'web-domains': { domain: 'rule', subdomains: 'any', verdict: 'any' },
  'connection-types': 'platform',
  'global-configurations': 'platform',
  languages: 'platform',
  links: 'platform',
  'smpp-system-ids': {
    user_id: 'rule',
    system_id: 'platform',
    enabled: ON,
    addresses: 'any',
    max_binds: { open: 4 },
    window_size: { open: 100 },
    rate: NO_LIMIT,
    default_class: 'any',
    classes: 'any',
    default_charset: 'any',
    octets: 'any',
    receives_replies: 'any',
    password: 'any',
  },
  articles: 'platform',
  'change-log': 'platform',
};
