import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { screenOf } from '@heliograph/contract/kernel/screen-list';
import { searchEverything } from '@heliograph/contract/search/search';
import i18next from 'i18next';
import { call } from '../../platform/call.ts';
import { hasText } from '../../platform/language.ts';
import { menuLabel } from '../../platform/menu-label.ts';
import { may, useSession } from '../../platform/session.ts';
import { recordPath } from '../../resource/record-path.ts';
import { WITH_FORM_PAGE } from '../screens.ts';

/** Groups of the palette, in order. */
export const GROUPS = ['recent', 'numbers', 'actions', 'screens', 'objects', 'articles'] as const;
type Group = (typeof GROUPS)[number];

/** One line of the palette, and where it leads. */
export interface Entry {
  group: Group;
  label: string;
  /** Kind of the record, or its state. */
  note?: string;
  to: string;
  search?: Record<string, string>;
  /** Set if the screen opens the form for a new record. */
  create?: true;
}

/** Records that the palette creates: path of the screen and area of the permission. */
const CREATED = [
  ['users', 'users'],
  ['corporations', 'corporations'],
  ['departments', 'departments'],
  ['number-lists', 'number-lists'],
  ['message-templates', 'templates'],
  ['sender-ids', 'sender-ids'],
  ['routings', 'routings'],
  ['callbacks', 'callbacks'],
  ['api-keys', 'api-keys'],
  ['billing-accounts', 'billing-accounts'],
  ['price-plans', 'price-plans'],
  ['roles', 'roles'],
  ['links', 'links'],
] as const;
const FORM_PAGES: ReadonlySet<string> = new Set(WITH_FORM_PAGE);

const inSentence = (name: string) => (/^\p{Lu}\p{Ll}/u.test(name) ? name[0]?.toLowerCase() + name.slice(1) : name);

/** Returns the words under which a line is found, besides its label. */
const synonyms = (key: string): string => {
  const text = keyIn('synonyms', key);
  return hasText(text) ? i18next.t(text) : '';
};

/** Returns whether each word that was typed begins a word of the text. */
function matches(text: string, wanted: string): boolean {
  const words = ` ${text.toLowerCase()}`;
  return wanted.split(/\s+/).every((word) => words.includes(word));
}

function actions(): (Entry & { words: string })[] {
  const t = i18next.t.bind(i18next);
  const all = [
    may('campaigns-create') && { label: t('palette.send_sms'), to: '/send-sms', words: synonyms('send-sms') },
    may('billing-accounts-payment') && {
      label: t('palette.add_payment'),
      to: '/billing-accounts',
      words: synonyms('billing-accounts'),
    },
    ...CREATED.map(
      ([path, area]) =>
        may(`${area}-create`) && {
          label: t('form.create_title', { record: inSentence(t(keyIn('resources', path, 'one'))) }),
          to: FORM_PAGES.has(path) ? `/${path}/new` : `/${path}`,
          words: synonyms(path),
          ...(FORM_PAGES.has(path) ? {} : { create: true as const }),
        },
    ),
  ];
  return all.filter((each) => each !== false).map((each) => ({ group: 'actions', ...each }));
}

function screens(): (Entry & { words: string })[] {
  const { menus } = useSession.getState();
  const all = [
    ...menus.flatMap((entry) => [entry, ...entry.children]),
    { url: 'profile', title: 'profile', labels: null },
  ].filter((entry) => screenOf(entry.url));
  // Two entries of the menu may lead to one screen.
  return [...new Map(all.map((entry) => [entry.url, entry])).values()].map((entry) => ({
    group: 'screens',
    label: menuLabel(entry),
    to: `/${entry.url}`,
    words: `${entry.url} ${synonyms(entry.url)}`,
  }));
}

/** Lists the actions, screens and numbers that match; all actions and screens if nothing is typed. */
export function knownEntries(wanted: string): Entry[] {
  const digits = wanted.replace(/[\s\-+().]/g, '');
  const number = /^\d{4,15}$/.test(digits) && may('transactions-index');
  const find = (entries: readonly (Entry & { words: string })[], most: number) =>
    entries.filter(({ label, words }) => matches(`${label} ${words}`, wanted)).slice(0, most);
  return [
    ...(number
      ? [
          {
            group: 'numbers' as const,
            label: i18next.t('shell.palette_messages_to', { number: digits }),
            to: '/transactions',
            search: { number: digits },
          },
        ]
      : []),
    ...find(actions(), wanted ? 5 : 4),
    ...find(screens(), wanted ? 6 : 40),
  ];
}

type Found = ReplyOf<typeof searchEverything>['data'][number];

/** Returns where a record that was found is shown: its page, or its list with its name as the search. */
function placeOf({ kind, id, name }: Found): Pick<Entry, 'to' | 'search'> {
  const page = {
    campaigns: () => `/campaign-history/${id}`,
    users: () => (may('users-show') ? `/users/${id}` : undefined),
    corporations: () => recordPath('corporations', id),
    'number-lists': () => `/numbers-${id}`,
    'sender-ids': () => undefined,
    'message-templates': () => undefined,
    articles: () => `/document/${id}`,
  }[kind]();
  return page ? { to: page } : { to: `/${kind}`, search: { search: name } };
}

/** Finds records by name and articles by their words, as far as the person may see them. */
export async function findEntries(search: string, signal: AbortSignal): Promise<Entry[]> {
  const { data } = await call(searchEverything, { query: { search }, signal });
  return data.map((found) => ({
    group: found.kind === 'articles' ? 'articles' : 'objects',
    label: found.name,
    ...(found.kind !== 'articles' && {
      note: i18next.t(found.state ? keyIn('campaign_state', found.state) : keyIn('resources', found.kind, 'one')),
    }),
    ...placeOf(found),
  }));
}

const RECENT = 'palette_recent';

/** Lists the lines that the person chose last, newest first. */
export function recentEntries(): Entry[] {
  const { user: who, entries } = JSON.parse(sessionStorage.getItem(RECENT) ?? '{}') as {
    user?: number;
    entries?: Entry[];
  };
  return who === useSession.getState().profile?.id ? (entries ?? []) : [];
}

/** Puts a chosen line before the others that were chosen. */
export function keepRecent(entry: Entry): void {
  const rest = recentEntries().filter(({ label, to }) => label !== entry.label || to !== entry.to);
  const entries = [{ ...entry, group: 'recent' as const }, ...rest].slice(0, 5);
  sessionStorage.setItem(RECENT, JSON.stringify({ user: useSession.getState().profile?.id, entries }));
}
