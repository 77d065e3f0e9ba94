/** The password of every demo login. */
export const DEMO_PASSWORD = 'Helio#2026';

/** People of the demo; the sign-in page and the greeting of `npm start` show them while the demo is in. */
export const DEMO_LOGINS = [
  { email: 'superadmin@heliograph.test', about: 'runs the platform' },
  { email: 'admin@heliograph.test', about: 'administers the platform' },
  { email: 'reseller@heliograph.test', about: 'reseller, Northwind Telecom' },
  { email: 'corporate@heliograph.test', about: 'corporate admin, Acme Retail' },
  { email: 'department@heliograph.test', about: 'department admin, Marketing of Acme Retail' },
  { email: 'user@heliograph.test', about: 'corporate user; campaigns need approval' },
  { email: 'readonly@heliograph.test', about: 'read-only: sees everything, changes nothing' },
] as const;
