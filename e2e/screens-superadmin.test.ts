import { toursInFirefox } from './firefox-tour.ts';
import { everyList, searchesInVain } from './lists.ts';
import { liveDashboard } from './live-dashboard.ts';
import { savedView } from './saved-view.ts';
import { screensOf } from './screens.ts';

// Together, the two tours of screens cover every language and check each screen by axe in both modes. They see each
// screen on a phone in the two languages with the shortest and the longest words, and at a desk with longer ones still.
screensOf({
  who: 'superadmin',
  role: 'super_admin',
  english: { mode: 'light', on: 'desk', axe: 'everything' },
  others: [
    { locale: 'pseudo', mode: 'light', on: 'desk' },
    { locale: 'zh', mode: 'dark', on: 'phone', axe: 'colours' },
    { locale: 'fp', mode: 'light', on: 'phone' },
  ],
  // The corporate admin's tour checks the screens of that role in every language.
  seenBy: 'corporate_admin',
  also: { deed: searchesInVain, least: 20 },
});

toursInFirefox();
everyList();
liveDashboard();

savedView();
