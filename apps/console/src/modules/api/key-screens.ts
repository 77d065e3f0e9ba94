// One part of the program for the screens of keys, because each part costs room in the first screen.

export { ApiKeys } from './api-keys.tsx';
export { ServiceAccountKeys } from './service-account-keys.tsx';
export { ServiceAccounts } from './service-accounts.tsx';
