import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';

/** Rules of axe that depend on the colors. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** Returns the barriers for people in `part` of the page that axe finds, by all its rules except `without`. */
export async function barriers(
  page: Page,
  part: string,
  what?: 'everything' | 'colours',
  without: readonly string[] = [],
): Promise<string[]> {
  if (!what) return [];
  // The page stays the same from screen to screen, and axe stays in it.
  const present = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder({ page, ...(present && { axeSource: ';' }) })
    .setLegacyMode()
    .include(part)
    // Controls of at least 24 by 24 pixels, which axe checks only if asked.
    .options({
      resultTypes: ['violations'],
      rules: {
        'target-size': { enabled: true },
        ...Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
      },
    });
  if (what === 'colours') axe.withRules(COLOURS);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 200)} ${node.any[0]?.message}`),
  );
}

/** Reports a page that is wider than the window. */
export async function overflow(page: Page): Promise<string[]> {
  const narrow = () => document.documentElement.scrollWidth <= innerWidth;
  const fits = await page.waitForFunction(narrow, undefined, { polling: 50, timeout: 20_000 }).then(
    () => true,
    () => false,
  );
  return fits ? [] : await page.evaluate(widest);
}

/** Returns the elements that extend beyond the right edge; runs in the page. */
function widest(): string[] {
  const beyond = [...document.querySelectorAll('main *')].filter(
    (e) => e.getBoundingClientRect().right > innerWidth + 1,
  );
  return [
    `${document.documentElement.scrollWidth} px wide in a window of ${innerWidth}`,
    ...beyond.slice(0, 3).map((e) => `reaches beyond: ${e.outerHTML.slice(0, 150)}`),
  ];
}

/** Returns what is cut off: lists that are wider than their frame and names of buttons. */
export function cutOff(): string[] {
  const wider = (element: Element) => element.scrollWidth > element.clientWidth + 2;
  const lists = [...document.querySelectorAll('main .mantine-datatable .mantine-ScrollArea-viewport')].filter(wider);
  const names = [...document.querySelectorAll('main .mantine-Button-label')].filter(wider);
  return [
    ...lists.map((list) => `a list needs ${list.scrollWidth} of ${list.clientWidth} px`),
    ...names.map((name) => `the name of a button is cut: ${name.textContent}`),
  ];
}

/** Reports a second marked entry of the menu. A group that closes keeps its mark until it is closed. */
export async function markedTwice(page: Page): Promise<string[]> {
  const single = () =>
    [...document.querySelectorAll('nav [aria-current=page]')].filter((entry) => entry.checkVisibility()).length < 2;
  return await page.waitForFunction(single, undefined, { polling: 50, timeout: 5_000 }).then(
    () => [],
    () => ['two entries of the menu are current'],
  );
}

/** Reports a form that closes without giving the focus back to the button that opened it. */
export async function lostFocus(opener: Locator): Promise<string[]> {
  const back = await opener.evaluate(async (button) => {
    for (const end = Date.now() + 10_000; Date.now() < end && document.activeElement !== button; )
      await new Promise((next) => setTimeout(next, 20));
    return document.activeElement === button ? '' : (document.activeElement?.outerHTML.slice(0, 120) ?? 'nothing');
  });
  return back === '' ? [] : [`the form leaves the focus on ${back}`];
}
