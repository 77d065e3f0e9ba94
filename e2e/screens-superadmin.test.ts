import { toursInFirefox } from './firefox-tour.ts';
import { everyList, searchesInVain } from './lists.ts';
import { liveDashboard } from './live-dashboard.ts';
import { savedView } from './saved-view.ts';
import { screensOf } from './screens.ts';

// Between them the two tours of screens see every language in both modes, each screen in both modes by axe, and each on
// a phone in the two languages whose words take least and most room.
screensOf({
  who: 'superadmin',
  role: 'super_admin',
  english: { mode: 'light', on: 'desk', axe: 'everything' },
  others: [
    { locale: 'cn', mode: 'light', on: 'desk' },
    { locale: 'zh', mode: 'dark', on: 'phone', axe: 'colours' },
    { locale: 'fp', mode: 'light', on: 'phone' },
  ],
  // What a corporate admin opens as well, that tour looks at in every language.
  seenBy: 'corporate_admin',
  also: { deed: searchesInVain, least: 20 },
});

toursInFirefox();
everyList();
liveDashboard();

savedView();
