/** Roles, each with all permissions of those before it. */
export const RISING_ROLES = ['corporate_user', 'department_admin', 'corporate_admin', 'reseller', 'admin'] as const;

export interface Page {
  /** Path without the leading slash; `$id` or `{$id}` stands for an id. */
  path: string;
  /** Key of the title under `menu.`; the path if absent. */
  title?: string;
  /** First part of the names of its permissions; the path if absent. */
  area?: string;
  /** Permission that opens the screen: null if a login is enough, `<area>-index` if absent. */
  permission?: string | null;
  /** Actions of the area, by the lowest role that may do them by default. The five usual ones are those of a record. */
  rights?: Readonly<Partial<Record<(typeof RISING_ROLES)[number], readonly string[]>>>;
  /** Set if the screen hides top bar and menu. */
  bare?: true;
}

export interface Entry extends Page {
  /**
   * Owner of the data. `tenant`: each corporation, department or person has their own. `platform`: one for all, which
   * only the platform's own people change. `self`: the caller's own, without an id of anybody else.
   */
  data: 'tenant' | 'platform' | 'self';
  icon?: string;
  /** Set for a report whose file people may receive by email: yesterday's, the last seven days', or the last month's. */
  mailed?: true;
  /** Screens without a menu entry of their own that are opened from this one. */
  pages?: readonly Page[];
}

export interface Group {
  /** Key of the title under `menu.`. */
  title: string;
  icon: string;
  /** Set for a group that is a link to its only screen. */
  direct?: true;
  /** Screens in their order; the path stands for a screen that another group declares. */
  screens: readonly (Entry | string)[];
}
