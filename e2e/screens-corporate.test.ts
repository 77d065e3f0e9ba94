import { screensOf } from './screens.ts';

// Between them the two tours of screens see every language in both modes.
screensOf('corporate', 'corporate_admin', 'dark', [
  ['cn', 'dark'],
  ['zh', 'light'],
  ['fp', 'dark'],
]);
