import { user } from '@heliograph/contract/access/user';
import { listCampaigns } from '@heliograph/contract/campaigns/campaign';
import { numberList } from '@heliograph/contract/contacts/number-list';
import { searchArticles } from '@heliograph/contract/documentation/reader';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { screenOf } from '@heliograph/contract/kernel/screen-list';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { messageTemplate } from '@heliograph/contract/templates/message-template';
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

const named = (name: string, rows: readonly { id: number }[], entry: (row: never) => Omit<Entry, 'group' | 'note'>) =>
  rows.map(
    (row): Entry => ({
      group: 'objects',
      note: i18next.t(keyIn('resources', name, 'one')),
      ...entry(row as never),
    }),
  );

/** Finds records by name and articles by their words, as far as the person may see them. */
export async function findEntries(search: string, signal: AbortSignal): Promise<Entry[]> {
  const query = { search, per_page: 4 };
  const listed = (to: string, name: string) => ({ label: name, to, search: { search: name } });
  const asked: (false | Promise<Entry[]>)[] = [
    may('campaigns-index') &&
      call(listCampaigns, { query, signal }).then(({ data }) =>
        data.map(({ id, name, state }) => ({
          group: 'objects' as const,
          label: name,
          note: i18next.t(`campaign_state.${state}`),
          to: `/campaign-history/${id}`,
        })),
      ),
    may('users-show') &&
      call(user.list, { query, signal }).then(({ data }) =>
        named('users', data, ({ id, name }: { id: number; name: string }) => ({ label: name, to: `/users/${id}` })),
      ),
    may('corporations-index') &&
      call(corporation.list, { query, signal }).then(({ data }) =>
        named('corporations', data, ({ id, name }: { id: number; name: string }) => {
          const page = recordPath('corporations', id);
          return page ? { label: name, to: page } : listed('/corporations', name);
        }),
      ),
    may('number-lists-index') &&
      call(numberList.list, { query, signal }).then(({ data }) =>
        named('number-lists', data, ({ id, name }: { id: number; name: string }) => ({
          label: name,
          to: `/numbers-${id}`,
        })),
      ),
    may('sender-ids-index') &&
      call(senderId.list, { query, signal }).then(({ data }) =>
        named('sender-ids', data, ({ sender_id }: { sender_id: string }) => listed('/sender-ids', sender_id)),
      ),
    may('templates-index') &&
      call(messageTemplate.list, { query, signal }).then(({ data }) =>
        named('message-templates', data, ({ name }: { name: string }) => listed('/message-templates', name)),
      ),
    may('documentation-view') &&
      call(searchArticles, { query: { search }, signal }).then(({ data }) =>
        data.slice(0, 3).map(({ id, title }) => ({ group: 'articles' as const, label: title, to: `/document/${id}` })),
      ),
  ];
  // One kind of record that cannot be read does not hide the others.
  const found = asked.filter((each) => each !== false).map((each) => each.catch((): Entry[] => []));
  return (await Promise.all(found)).flat();
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
