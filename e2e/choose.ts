import type { Locator, Page } from 'playwright-core';

/** Chooses an option of a select by its name from the open list. Typing would change the list under the mouse. */
export async function choose(within: Page | Locator, label: string, option: string): Promise<void> {
  const page = 'page' in within ? within.page() : within;
  await within.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
