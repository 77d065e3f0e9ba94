import type { Page } from 'playwright-core';
import type { Watch } from './screen-reader.ts';

export type Desk = ReturnType<typeof deskOf>;

/** Returns the operator's page and its usual moves. */
export function deskOf(page: Page, seen: Watch) {
  return {
    page,
    form: page.getByRole('dialog'),
    rowOf: (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) }),
    /** Chooses an action in the menu of a row. */
    async action(row: string, what: string) {
      await page
        .getByRole('button', { name: `Actions for ${row}` })
        .first()
        .click();
      await page.getByRole('menuitem', { name: what }).click();
    },
    /** Goes to another screen without a reload. */
    async go(path: string) {
      await page.evaluate((to) => history.pushState(null, '', to), path);
      await page.waitForURL((url) => url.pathname + url.search === path);
      await seen.settled(page);
    },
  };
}
