import { screensOf } from './screens.ts';
import { shellKeepsItsWord } from './shell.ts';
import { shellOutlivesTheNetwork } from './shell-connection.ts';

// The super admin's tour checks these screens for everything that axe finds, in the other mode.
screensOf({
  who: 'corporate',
  role: 'corporate_admin',
  english: { mode: 'dark', on: 'desk', axe: 'colours' },
  others: [
    { locale: 'cn', mode: 'dark', on: 'zoomed' },
    { locale: 'zh', mode: 'light', on: 'phone' },
    { locale: 'fp', mode: 'dark', on: 'phone' },
  ],
});

shellKeepsItsWord();
shellOutlivesTheNetwork();
