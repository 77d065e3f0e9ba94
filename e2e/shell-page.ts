import type { TestContext } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { browser } from './own-house.ts';

/** Waits until a page is at a path. */
export const arrived = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path);
/** Goes to another screen without a reload. */
export const go = (page: Page, path: string) => page.evaluate((to) => history.pushState(null, '', to), path);

/** Opens a window of its own for a test. */
export async function freshContext(t: TestContext): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  t.after(() => context.close());
  return context;
}
