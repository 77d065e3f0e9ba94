import { MENU_GROUPS, type Screen, type ScreenPath } from '@heliograph/contract/kernel/screen-list';
import { translate } from '#platform/text/i18n';

/** Part of the guide, with its articles. */
interface GuidePart {
  key: string;
  title: string;
  articles: readonly GuideEntry[];
}
interface GuideEntry {
  /** Name of the Markdown file; the path of the screen that the article explains, if it explains one. */
  key: string;
  /** Permission that its readers need. */
  permission: string | null;
}

const FIRST_STEPS = [
  'getting-started',
  'finding-your-way',
  'profile',
  'company-sign-in',
  'message-parts',
  'delivery-statuses',
  'figures',
  'money-words',
  'roles-and-permissions',
  'moving-in',
];
const FOR_PROGRAMS = [
  'api-first-message',
  'api-sandbox',
  'api-sending',
  'api-batches',
  'api-idempotency',
  'api-errors',
  'api-callbacks',
  'api-events',
  'api-smpp',
  'api-kannel',
  'api-jasmin',
  'api-twilio',
  'api-vonage',
  'api-agents',
  'api-changes',
];

const part = (key: string, title: string, articles: readonly string[]): GuidePart => ({
  key: `part-${key}`,
  title,
  articles: articles.map((name) => ({ key: name, permission: null })),
});

/** Pages of a screen that have an article of their own, after that of the screen. */
const PAGES: Readonly<Partial<Record<ScreenPath, readonly string[]>>> = {
  campaigns: ['short-links', 'campaign-tests'],
  margins: ['losses'],
  'identity-providers': ['directories'],
};

const explained = new Set<string>();
/** Returns the articles about screens. A screen in two groups has its article in the first one. */
const articlesOf = (screens: readonly Screen[]): GuideEntry[] =>
  screens
    .filter(({ path }) => !explained.has(path) && explained.add(path))
    .flatMap(({ path, permission }) => [path, ...(PAGES[path] ?? [])].map((key) => ({ key, permission })));

const links = MENU_GROUPS.filter(({ direct }) => direct).flatMap(({ screens }) => screens);
/** Parts about the screens, by their menu groups. Screens at the top of the menu are in the first part. */
const ofScreens = MENU_GROUPS.filter(({ direct }) => !direct).map(({ title, screens }, place) => ({
  key: `part-${title}`,
  title: translate('en', `menu.${title}`),
  articles: articlesOf(place === 0 ? [...links, ...screens] : screens),
}));

/** Guide that every installation has, in the order of the main menu. */
export const GUIDE: readonly GuidePart[] = [
  part('first-steps', 'First steps', FIRST_STEPS),
  ...ofScreens.slice(0, -1),
  part('programs', 'For programs', FOR_PROGRAMS),
  ...ofScreens.slice(-1),
];
