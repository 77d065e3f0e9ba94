import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openFirefox, withoutFirefox } from './firefox.ts';
import { PATH_MS, showFewRows, signIn } from './house.ts';
import { house } from './own-house.ts';
import { watch } from './screen-reader.ts';
import { pathsOf } from './screens.ts';

/** Finds elements that are only for screen readers but are drawn where a pointer finds them; runs in the page. */
function drawnThoughHidden(): string[] {
  const drawn: string[] = [];
  for (const hidden of document.querySelectorAll('.app-visually-hidden'))
    for (const part of [hidden, ...hidden.querySelectorAll('*')]) {
      part.scrollIntoView({ block: 'center' });
      const { left, top, width, height } = part.getBoundingClientRect();
      // A clipped element still has one pixel.
      if (width <= 1 || height <= 1) continue;
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      if (found && hidden.contains(found)) drawn.push(`drawn though hidden: ${part.outerHTML.slice(0, 120)}`);
    }
  scrollTo(0, 0);
  return drawn;
}

/** Reports a page that is wider than the window; runs in the page. */
function tooWide(): string[] {
  const { scrollWidth } = document.documentElement;
  return scrollWidth > innerWidth ? [`${scrollWidth} px wide in a window of ${innerWidth} px`] : [];
}

/** Opens every screen of the super administrator once in Firefox. */
export function toursInFirefox(): void {
  test('no screen in Firefox has an error, drawn hidden text or sideways scrolling', {
    skip: withoutFirefox,
    timeout: PATH_MS,
  }, async (t) => {
    const browser = await openFirefox(t);
    const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
    await showFewRows(house, 'superadmin');
    const seen = watch(context);
    const page = await signIn(context, house, 'superadmin');
    await seen.settled(page);
    const wrong: string[] = [];
    const note = async (path: string, at: Page) => {
      const faults = [...(await at.evaluate(drawnThoughHidden)), ...(await at.evaluate(tooWide))];
      for (const fault of [...faults, ...seen.faults.splice(0)]) wrong.push(`${path}: ${fault}`);
    };
    const paths = await pathsOf('super_admin');
    assert.ok(paths.length >= 40, `${paths.length} screens`);
    for (const path of paths) {
      await page.evaluate((to) => history.pushState(null, '', to), path);
      await page.waitForFunction((to) => location.pathname === to, path);
      await seen.settled(page);
      await note(path, page);
    }
    assert.deepEqual(wrong, []);
    await context.close();
  });
}
