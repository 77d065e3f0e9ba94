import type { navBarMenus } from '@heliograph/contract/access/menu';
import type { alarms } from '@heliograph/contract/alarms/alarm';
import type { totalOutstandingNotify } from '@heliograph/contract/billing/credit-change';
import type {
  numberValidationRules,
  pageConfigurations,
  profile,
  refreshTokens,
  signIn,
} from '@heliograph/contract/identity/session';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { askedOfMe } from '@heliograph/contract/notifications/asked';
import type { queueDownloadNotify } from '@heliograph/contract/notifications/download';
import { create } from 'zustand';
import { type PersistStorage, persist } from 'zustand/middleware';
import { IS_SUPPORT, isLeaving, leaveSupport } from './support-tab.ts';

type Profile = ReplyOf<typeof profile>;
type Named = { id: number; name: string };
export type PageConfigurations = ReplyOf<typeof pageConfigurations>;
export type Menu = ReplyOf<typeof navBarMenus>['data'];
export type QueueDownload = ReplyOf<typeof queueDownloadNotify>[number];
/** Record that can be chosen: its id and its name. */
export type Lookup = Record<string, unknown> & { id: number };
/** Alarms that last, and those of the last day. */
export type Alarms = ReplyOf<typeof alarms>;
type Asked = ReplyOf<typeof askedOfMe>;
export type TotalOutstanding = ReplyOf<typeof totalOutstandingNotify>;

/** Session on the client, stored completely in the browser. The specification gives the names. */
export interface Session {
  token: string | null;
  refresh_token: string | null;
  expires_in: number | null;
  /** When the access token ends, in seconds since 1970. */
  expires_at: number | null;

  isLoggedIn: boolean;
  /** Set if the session is verified: no sign-in code is expected. */
  verify: boolean;
  /** Start of the wait for a sign-in code, in milliseconds; null if none is expected. */
  otpStartTime: number | null;
  /** Second factor that is expected: a code by message, or one of the authenticator app. */
  secondFactor: ReplyOf<typeof signIn>['second_factor'];
  isReseller: boolean;
  ownedByReseller: boolean;
  resellerCorporations: Named[];
  resellerAllCorporations: Named[];

  permissions: Profile['permissions'];
  profile: Profile['profile'] | null;
  roles: string[];
  corporationTimeZone: string;
  numberRules: ReplyOf<typeof numberValidationRules> | null;

  pageConfigurations: PageConfigurations | null;
  menus: Menu;
  /** Records that forms offer (roles, corporations, departments …), as far as they have been loaded. */
  lookups: Readonly<Record<string, readonly Lookup[]>>;
  pendingCampaigns: number;
  /** Sender IDs that wait for the user's decision. */
  senderRequests: number;
  /** Requests of others that wait for the user. */
  asked: Asked;
  inboxUnread: number;
  queueDownloads: QueueDownload[];
  totalOutstanding: TotalOutstanding | null;
  /** Null before they are read, and for people who do not operate the platform. */
  alarms: Alarms | null;
}

const SIGNED_OUT = {
  token: null,
  refresh_token: null,
  expires_in: null,
  expires_at: null,
  isLoggedIn: false,
  verify: false,
  otpStartTime: null,
  secondFactor: null,
  isReseller: false,
  ownedByReseller: false,
  resellerCorporations: [],
  resellerAllCorporations: [],
  permissions: [],
  profile: null,
  roles: [],
  corporationTimeZone: 'UTC',
  numberRules: null,
  menus: [],
  lookups: {},
  pendingCampaigns: 0,
  senderRequests: 0,
  asked: [],
  inboxUnread: 0,
  queueDownloads: [],
  totalOutstanding: null,
  alarms: null,
} satisfies Omit<Session, 'pageConfigurations'>;

/** Storage of the session: all tabs share one, and a tab of support has its own. */
const place = IS_SUPPORT ? sessionStorage : localStorage;

const TOKEN_KEYS = ['token', 'refresh_token', 'expires_in', 'expires_at'] as const;

/**
 * Tokens as this tab last read or wrote them. The tab writes only its own changes, never an old token over another
 * tab's.
 */
const stored = new Map<string, string | null>();

function readToken(key: string): string | null {
  const value = place.getItem(key);
  stored.set(key, value);
  return value || null;
}

/** Storage of the session: tokens under their own keys, everything else as one JSON document. */
const storage: PersistStorage<Session> = {
  getItem(name) {
    try {
      const rest = JSON.parse(place.getItem(name) ?? 'null') as { state: Session; version: number } | null;
      if (!rest) return null;
      const seconds = (key: string) => Number(readToken(key)) || null;
      return {
        ...rest,
        state: {
          ...rest.state,
          token: readToken('token'),
          refresh_token: readToken('refresh_token'),
          expires_in: seconds('expires_in'),
          expires_at: seconds('expires_at'),
        },
      };
    } catch {
      return null;
    }
  },
  setItem(name, { state, version }) {
    if (isLeaving()) return;
    const { token, refresh_token, expires_in, expires_at, ...rest } = state;
    for (const [key, given] of Object.entries({ token, refresh_token, expires_in, expires_at })) {
      const value = given === null ? null : String(given);
      if (value === (stored.get(key) ?? null)) continue;
      stored.set(key, value);
      if (value === null) place.removeItem(key);
      else place.setItem(key, value);
    }
    place.setItem(name, JSON.stringify({ state: rest, version }));
  },
  removeItem(name) {
    for (const key of [...TOKEN_KEYS, name]) place.removeItem(key);
  },
};

const initial = (): Session => ({ ...SIGNED_OUT, pageConfigurations: null });

export const useSession = create<Session>()(persist(initial, { name: 'session', version: 1, storage }));

// If another tab signs in, signs out or renews the tokens, this tab follows.
window.addEventListener('storage', (event) => {
  if (event.key === 'session' || event.key === 'token') void useSession.persist.rehydrate();
});

/** Forgets the session. The application's appearance stays. A support session ends here with its page. */
export function clearSession(): void {
  if (IS_SUPPORT) leaveSupport();
  else useSession.setState(SIGNED_OUT);
}

/** Returns whether nobody is signed in or about to be. */
export function isSignedOut(): boolean {
  const { isLoggedIn, verify, otpStartTime } = useSession.getState();
  return !isLoggedIn && !verify && otpStartTime === null;
}

/** Stores a new pair of tokens and their expiry. */
export function keepTokens(
  tokens: Pick<ReplyOf<typeof refreshTokens>, 'access_token' | 'refresh_token' | 'expires_in'>,
) {
  useSession.setState({
    token: tokens.access_token,
    refresh_token: tokens.refresh_token,
    expires_in: tokens.expires_in,
    expires_at: Math.floor(Date.now() / 1000) + tokens.expires_in,
  });
}

/** Stores the answer of the sign-in. The user does not count as logged in until the profile is loaded. */
export function keepSignIn(reply: ReplyOf<typeof signIn>): void {
  keepTokens(reply);
  useSession.setState({
    isLoggedIn: false,
    verify: reply.verified,
    otpStartTime: reply.verified ? null : Date.now(),
    secondFactor: reply.second_factor,
    isReseller: reply.is_reseller,
    ownedByReseller: reply.owned_by_reseller,
    resellerCorporations: reply.reseller_corporations,
    resellerAllCorporations: reply.reseller_all_corporations,
  });
}

/** Stores the records that a form offers, unless they are unchanged. */
export function keepLookup(name: string, rows: readonly Lookup[]): void {
  const { lookups, isLoggedIn } = useSession.getState();
  if (!isLoggedIn || JSON.stringify(lookups[name]) === JSON.stringify(rows)) return;
  useSession.setState({ lookups: { ...lookups, [name]: rows } });
}

/** Returns whether the user holds a permission. */
export function may(permission: string): boolean {
  return useSession.getState().permissions.some(({ name }) => name === permission);
}

/** Returns whether numbers of recipients and repliers are masked for the user. */
export const useNumbersHidden = (): boolean => useSession((s) => s.profile?.numbers_visible === false);

/** Returns whether the user holds a permission. Follows changes. */
export function useMay(permission: string | null): boolean {
  return useSession((s) => permission === null || s.permissions.some(({ name }) => name === permission));
}
