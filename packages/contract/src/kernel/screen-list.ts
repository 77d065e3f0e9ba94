import type { Entry, Page } from './screen.ts';
import { MENU } from './screens.ts';
import { OUTSIDE_MENU } from './screens-outside-menu.ts';

type Listed = (typeof MENU)[number]['screens'][number];
type Declared = Exclude<Listed, string> | (typeof OUTSIDE_MENU)[number];
type Each = Declared | (Declared extends infer S ? (S extends { pages: readonly (infer P)[] } ? P : never) : never);
type PathOf<S> = S extends { path: infer P extends string } ? P : never;
type TitleOf<S> = S extends { title: infer T extends string } ? T : PathOf<S>;
type AreaOf<S> = S extends { area: infer A extends string } ? A : PathOf<S>;
type RightsOf<S> = S extends { rights: infer R }
  ? { [L in keyof R]: R[L] extends readonly (infer A extends string)[] ? `${AreaOf<S>}-${A}` : never }[keyof R]
  : never;
type OpeningOf<S> = S extends { permission: infer P extends string | null } ? P : `${AreaOf<S>}-index`;
/** Fails to compile for a permission that no screen's rights name. */
type Existing<P extends Permission | null> = P;

/** Name of a permission, such as `campaigns-run`. */
export type Permission = RightsOf<Each>;
export type ScreenPath = PathOf<Each>;
/** Name of an icon of the menu. */
export type MenuIcon = (typeof MENU)[number]['icon'] | Extract<Declared, { icon: string }>['icon'];
/** Paths of the reports that can be sent by email. */
export type MailedReport = PathOf<Extract<Declared, { mailed: true }>>;

/** A protected screen, with everything that its declaration implies. */
export interface Screen {
  path: ScreenPath;
  /** Key under `menu.`. */
  title: TitleOf<Each>;
  /** First part of the names of its permissions. */
  area: AreaOf<Each>;
  /** Permission that opens the screen; null if a login is enough. */
  permission: Existing<OpeningOf<Each>>;
  /** Screen of the menu that it belongs to, whose path is also the key of the guide's article about it. */
  under: PathOf<Declared>;
  bare: boolean;
  rights: NonNullable<Page['rights']>;
  /** Owner of the data; absent for a screen that another one opens. */
  data?: Entry['data'];
  icon?: MenuIcon;
  mailed?: true;
}

function withPages({ pages = [], ...entry }: Entry): Screen[] {
  return [entry, ...pages].map((page: Page) => {
    const { path, title = path, area = path, permission = `${area}-index`, bare = false, rights = {} } = page;
    return { ...page, title, area, permission, under: entry.path, bare, rights } as Screen;
  });
}

/** All protected screens. */
export const SCREENS: readonly Screen[] = [
  ...MENU.flatMap(({ screens }) => screens.filter((each) => typeof each !== 'string')),
  ...OUTSIDE_MENU,
].flatMap(withPages);

const byPath: ReadonlyMap<string, Screen> = new Map(SCREENS.map((screen) => [screen.path, screen]));

/** Returns the screen of a path, if there is one. */
export function screenOf(path: ScreenPath): Screen;
export function screenOf(path: string): Screen | undefined;
export function screenOf(path: string): Screen | undefined {
  return byPath.get(path);
}

/** Group of the main menu, or a link at its top if it is `direct`. */
export interface MenuGroup {
  title: (typeof MENU)[number]['title'];
  icon: MenuIcon;
  direct: boolean;
  screens: readonly Screen[];
}

/** Main menu: groups with their screens, in order. A screen may be in two groups. */
export const MENU_GROUPS: readonly MenuGroup[] = MENU.map((group) => {
  const listed: readonly Listed[] = group.screens;
  const screens = listed.map((each) => screenOf(typeof each === 'string' ? each : each.path));
  return { title: group.title, icon: group.icon, direct: 'direct' in group, screens };
});
