import { screensOf } from './screens.ts';

// Between them the two tours of screens see every language in both modes.
screensOf('superadmin', 'super_admin', 'light', [
  ['cn', 'light'],
  ['zh', 'dark'],
  ['fp', 'light'],
]);
