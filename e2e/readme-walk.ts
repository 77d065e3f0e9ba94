import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { until } from '@heliograph/fault-kit';
import type { Browser, Locator, Page } from 'playwright-core';
import type { House } from './house.ts';

const ROOT = resolve(import.meta.dirname, '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

const MESSAGES = join(ROOT, 'packages/contract/messages/en');
const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(textsIn);
/** English texts of the console. */
const TEXTS = new Set(
  readdirSync(MESSAGES).flatMap((file) => textsIn(JSON.parse(readFileSync(join(MESSAGES, file), 'utf8')))),
);

/** A paragraph of the walk. Its words in bold or in code are labels of the screens, or texts that a person enters. */
class Step {
  readonly text: string;
  readonly #labels: Set<string>;

  constructor(text: string) {
    this.text = text.replace(/\s+/g, ' ');
    this.#labels = new Set([...this.text.matchAll(/\*\*(.+?)\*\*|`(.+?)`/g)].map(([, bold, code]) => bold ?? code!));
  }

  /** Returns a label, which README must have in this paragraph. */
  says(label: string): string {
    assert.ok(this.#labels.delete(label), `README has no “${label}” (once) in: ${this.text}`);
    return label;
  }

  /** Fails if README names something that was neither tried nor is a text of the console. */
  done(): void {
    const left = [...this.#labels].flatMap((label) => label.split(' → ')).filter((label) => !TEXTS.has(label));
    assert.deepEqual(left, [], `README has more than was tried in: ${this.text}`);
  }
}

/** Paragraphs of the walk: its eight steps, and what follows them. */
type Steps = [Step, Step, Step, Step, Step, Step, Step, Step, Step];

/** Returns the paragraphs of “The first five minutes”: the numbered ones, then the last. */
function stepsOfReadme(): Steps {
  const [, walk = ''] = /## The first five minutes\n([\s\S]+?)\n## /.exec(README) ?? [];
  const steps = walk.trim().split(/\n(?=\d+\. )|\n\n/);
  assert.equal(steps.length, 9, 'README has another number of steps than this test');
  return steps.map((text) => new Step(text.replace(/^\d+\. /, ''))) as unknown as Steps;
}

/** Opens a screen by the names of its group and its entry in the menu, as “SMS → Send SMS”. */
async function open(page: Page, way: string): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Main menu' }).last();
  const [group, entry] = way.includes(' → ') ? way.split(' → ') : [undefined, way];
  const link = menu.getByRole('link', { name: entry!, exact: true });
  if (group && !(await link.isVisible())) await menu.getByRole('button', { name: group, exact: true }).click();
  await link.click();
  await page.getByRole('heading', { level: 1, name: entry!, exact: true }).waitFor();
}

/** Chooses the recipients, the sender and the text of a campaign. */
async function compose(page: Page, list: string, sender: string, text: string): Promise<Locator> {
  await page.getByRole('combobox', { name: 'Number lists' }).click();
  await page.getByRole('option', { name: list }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Sender ID' }).click();
  await page.getByRole('option', { name: sender, exact: true }).click();
  const field = page.getByPlaceholder('Write the message here');
  await field.fill(text);
  return field;
}

/** Ends the tour as README says, and opens it again from the menu of the account. */
async function tour(page: Page, skip: string, again: string): Promise<void> {
  const card = page.getByRole('dialog', { name: 'This is the menu' });
  await card.waitFor();
  await until('the focus is in the tour', () => card.evaluate((at) => at.contains(document.activeElement)));
  await card.getByRole('button', { name: 'Next' }).press('Enter');
  await page.getByRole('dialog', { name: 'Search everything' }).waitFor();
  await page.getByRole('button', { name: skip }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: again }).click();
  await card.waitFor();
  await page.keyboard.press('Escape');
  await card.waitFor({ state: 'detached' });
}

const isTourSeen = async (house: House) =>
  (
    await house.database.query(
      "SELECT tour_seen FROM user_preference p JOIN user_account u ON u.id = p.user_id WHERE u.email = 'corporate@heliograph.test'",
    )
  ).rows[0].tour_seen;

/** Signs in with the demo login of a role. */
async function enter(page: Page, house: House, role: string): Promise<void> {
  await page.goto(house.url);
  await page.getByRole('button', { name: role }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/dashboard/);
}

/** Does steps 1 to 4: the tour, the carrier, a campaign, and its results. */
async function sendAndWatch(
  house: House,
  page: Page,
  handsets: Page,
  [login, carrier, send, watch, , , , , last]: Steps,
) {
  await house.database.query('UPDATE user_preference SET tour_seen = false');
  await page.goto(house.url);
  await page.getByText(login.says('Demo logins')).waitFor();
  await enter(page, house, login.says('Corporate admin'));
  await tour(page, login.says('Skip tour'), last.says('Guided tour'));
  await until('the server remembers the end of the tour', () => isTourSeen(house));
  login.says('Sign in');
  login.says('npm start');

  await handsets.goto(house.simulator);
  const behavior = handsets.getByLabel(carrier.says('Carrier is'));
  const changed = handsets.waitForResponse((response) => response.request().method() === 'PATCH');
  await behavior.selectOption(carrier.says('throttling'));
  assert.equal((await changed).status(), 200);
  carrier.says('npm start');
  // A busy machine looks at the list less often, so the campaign takes longer here than a person would wait.
  await fetch(`${house.simulator}/api/settings`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rate: 5 }),
  });

  await open(page, send.says('SMS → Send SMS'));
  const text = send.says('Hi {name}, our shop opens at nine.');
  const field = await compose(page, send.says('Loyalty customers'), send.says('ACME'), text);
  await page.getByText('Hi Customer 001, our shop opens at nine.').waitFor();
  await page.getByText('500 parts').waitFor();
  await field.fill(`${text} 🎉`);
  const [, few, many] = /(\d+) characters per part instead of (\d+)/.exec(send.text) ?? [];
  await page.getByText(`to get ${many} characters per part instead of ${few}.`).waitFor();
  await page.getByRole('button', { name: send.says('Review & send') }).click();
  await page.getByRole('dialog').getByText('Balance after').waitFor();
  await page.getByRole('button', { name: send.says('Send now') }).click();
  await page.getByRole('button', { name: send.says('Undo sending') }).waitFor();

  const campaign = page.url();
  await open(page, watch.says('Running campaigns'));
  await page.getByRole('article').first().waitFor();
  // Its link is gone from the list when it has ended on a busy machine.
  await page.goto(campaign);
  await page.getByRole('heading', { name: 'Results' }).waitFor();
  await behavior.selectOption('healthy');
  await until('the campaign is delivered', async () => {
    const { rows } = await house.database.query(
      'SELECT delivered FROM campaign_counter ORDER BY campaign_id DESC LIMIT 1',
    );
    return Number(rows[0]?.delivered) === 500;
  });
  await page.getByText(watch.says('Failures by reason')).waitFor();
  await page.getByText(watch.says('Messages'), { exact: true }).first().click();
  await page
    .getByRole('button', { name: /^63917\d+$/ })
    .first()
    .click();
  const message = page.getByRole('dialog', { name: /Message to/ });
  await message.getByText('Parts', { exact: true }).waitFor();
  await message.getByText('Receipt: Delivered').waitFor();
  await page.keyboard.press('Escape');
}

/** Answers from a phone, writes back, and opts the phone out, as step 5 says. */
async function answer(page: Page, handsets: Page, { step, send }: { step: Step; send: Step }): Promise<void> {
  await handsets.locator('#numbers button').first().click();
  await handsets.getByRole('list', { name: 'Messages' }).getByText('our shop opens at nine. 🎉').waitFor();
  const reply = async (text: string) => {
    await handsets.getByLabel('Message', { exact: true }).fill(text);
    await handsets.getByRole('button', { name: 'Send' }).click();
    await handsets.getByText('Sent.').waitFor();
  };
  await handsets.getByLabel('Reply to').fill(step.says('2929'));
  await reply('Until when?');
  await open(page, step.says('Inbox'));
  await page.getByText('Until when?').first().click();
  await page.getByPlaceholder('Write a reply…').fill('Until eight.');
  await page.getByRole('button', { name: /^Send reply/ }).click();
  await handsets.getByRole('list', { name: 'Messages' }).getByText('Until eight.').waitFor();
  await reply(step.says('STOP'));
  await handsets
    .getByRole('list', { name: 'Messages' })
    .getByText(/You have been unsubscribed/)
    .waitFor();
  await open(page, 'SMS → Send SMS');
  await compose(page, 'Loyalty customers', 'ACME', 'Good morning');
  await page.getByRole('button', { name: 'Review & send' }).click();
  await page.getByRole('dialog').getByText('Opted out').waitFor();
  await page.keyboard.press('Escape');
  send.done();
}

/** Exports a report and reads the cost, as step 6 says. */
async function readReports(page: Page, step: Step): Promise<void> {
  await open(page, step.says('Reports → Campaign transactions'));
  await page.getByRole('button', { name: 'Filters' }).waitFor();
  await page.getByRole('button', { name: step.says('Export') }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: /^Notifications: / }).click();
  await page
    .getByRole('dialog')
    .getByText(/^transactions_.*\.csv$/)
    .waitFor();
  await page.keyboard.press('Escape');
  await open(page, `Reports → ${step.says('Credit changes')}`);
  await page.getByText('Our shop opens at nine. 🎉').first().waitFor();
}

/** Tests the bind of a link as the super administrator, as step 7 begins. */
async function operate(page: Page, house: House, step: Step): Promise<void> {
  await enter(page, house, step.says('Super admin'));
  await open(page, step.says('Engineering → Carrier links'));
  await page.getByRole('link', { name: 'Carrier simulator' }).click();
  await page.getByRole('heading', { name: 'Traffic' }).waitFor();
  await page.getByRole('button', { name: step.says('Test bind') }).click();
  await page.getByRole('dialog').waitFor();
}

/** Does each sentence of README's first five minutes, by the labels that stand there. */
export async function walkReadme(house: House, browser: Browser): Promise<void> {
  const scripts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts;
  const [, commands = ''] = /```\n([\s\S]+?)```/.exec(README) ?? [];
  for (const [, command] of commands.matchAll(/^npm (\S+)/gm)) assert.ok(scripts[command!], command!);
  for (const [, path] of README.matchAll(/\]\((?!http)([^)#]+)/g)) assert.ok(existsSync(join(ROOT, path!)), path!);

  const steps = stepsOfReadme();
  const [, , send, , reply, reports, operator, magic, last] = steps;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const [page, handsets] = [await context.newPage(), await context.newPage()];
  await sendAndWatch(house, page, handsets, steps);
  await answer(page, handsets, { step: reply, send });
  await readReports(page, reports);
  await handsets.getByText(magic.says('Magic numbers')).click();
  await handsets.getByText('…9904').waitFor();
  await context.close();

  const other = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const operating = await other.newPage();
  await house.database.query('UPDATE user_preference SET tour_seen = true');
  await operate(operating, house, operator);
  last.says('?');
  await other.close();
  for (const step of steps) step.done();
}
