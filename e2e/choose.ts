import type { Locator, Page } from 'playwright-core';

/** Chooses in a select by what it is called, as somebody who reads the list: what is typed would change it under the mouse. */
export async function choose(within: Page | Locator, label: string, option: string): Promise<void> {
  const page = 'page' in within ? within.page() : within;
  await within.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
