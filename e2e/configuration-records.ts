import type { Locator } from 'playwright-core';
import { choose } from './choose.ts';

/** Writes a text into a field of a form. */
export const write = (form: Locator, label: string, text: string) =>
  form.getByRole('textbox', { name: label }).fill(text);

/** One record that a person creates, repeats and changes. */
export interface Path {
  path: string;
  /** Part of the address that chooses the table of a screen with other views. */
  view?: string;
  /** Name of the record in its row, before and after the change. */
  name: string;
  changed?: string;
  fill: (form: Locator) => Promise<void>;
  duplicate: string;
  edit: (form: Locator) => Promise<void>;
  /** Text in the row after the change. */
  shows: string;
}

const inAcme = (form: Locator) => choose(form, 'Corporation', 'Acme Retail');
const inMarketing = async (form: Locator) => {
  await inAcme(form);
  await choose(form, 'Department', 'Marketing');
};

/** The records of the configuration, each with its form. */
export const PATHS: readonly Path[] = [
  {
    path: 'blacklist-numbers',
    name: '639175557001',
    fill: async (form) => {
      await inAcme(form);
      await choose(form, 'Mask (sender ID)', 'ACME');
      await write(form, 'Number', '+63 917 555 7001');
    },
    duplicate: 'Number(s) already blacklisted!',
    edit: async (form) => {
      await form.getByRole('combobox', { name: 'Channel' }).click();
      await form.page().getByRole('option', { name: 'Programs over HTTP (API)' }).click();
    },
    shows: 'Programs over HTTP (API)',
  },
  {
    path: 'blacklist-text',
    name: 'free lottery',
    changed: 'free raffle',
    fill: (form) => write(form, 'Text', 'free lottery'),
    duplicate: 'Text already blacklisted!',
    edit: (form) => write(form, 'Text', 'free raffle'),
    shows: 'free raffle',
  },
  {
    path: 'web-domains',
    name: 'shop.example.com',
    fill: async (form) => {
      await write(form, 'Domain', 'SHOP.example.com');
      await inAcme(form);
    },
    duplicate: 'This domain already has a rule',
    edit: async (form) => {
      await form.getByRole('combobox', { name: 'Rule' }).click();
      await form.page().getByRole('option', { name: 'Refused' }).click();
    },
    shows: 'Refused',
  },
  {
    path: 'blackout-time',
    name: 'Acme Retail',
    fill: async (form) => {
      await inAcme(form);
      await form.locator('[data-field=start_time]').fill('22:00');
      await form.locator('[data-field=end_time]').fill('06:00');
    },
    duplicate: 'Blackout time already configured for given corporation',
    edit: (form) => form.locator('[data-field=end_time]').fill('07:30'),
    shows: '07:30',
  },
  {
    path: 'message-templates',
    name: 'Spring sale',
    fill: async (form) => {
      await inMarketing(form);
      await write(form, 'Name', 'Spring sale');
      await write(form, 'Template', 'Hi {Nobody}');
      await form.getByText('The text has an unknown placeholder.').waitFor();
      await write(form, 'Template', 'Hi {name}, spring is here.');
    },
    duplicate: 'Message template already exists for given department',
    edit: (form) => write(form, 'Template', 'Hi {name}, it is spring.'),
    shows: 'Hi {name}, it is spring.',
  },
  {
    path: 'aliases',
    name: 'WINNER',
    fill: async (form) => {
      await inAcme(form);
      await write(form, 'Word', 'WINNER');
      const aliases = form.getByRole('combobox', { name: 'Aliases' });
      await aliases.fill('two words');
      await aliases.press('Enter');
      await form.getByText('Enter one word without spaces.').waitFor();
      await aliases.press('Backspace');
      for (const alias of ['PRIZE', 'GIFT']) {
        await aliases.fill(alias);
        await aliases.press('Enter');
      }
    },
    duplicate: 'Alias already exists',
    edit: async (form) => {
      const aliases = form.getByRole('combobox', { name: 'Aliases' });
      await aliases.fill('BONUS');
      await aliases.press('Enter');
    },
    shows: 'BONUS',
  },
  {
    path: 'assign-sender-ids',
    name: 'ACME',
    changed: 'AcmeDeals',
    fill: async (form) => {
      await inMarketing(form);
      await choose(form, 'Sender IDs', 'ACME');
      await form.getByRole('heading').click();
    },
    duplicate: 'Some or all sender IDs already exist for the given department',
    edit: (form) => choose(form, 'Sender ID', 'AcmeDeals'),
    shows: 'AcmeDeals',
  },
  {
    path: 'connection-types',
    name: 'Kiosk',
    changed: 'Branch',
    fill: (form) => write(form, 'Name', 'Kiosk'),
    duplicate: 'Connection type already exists',
    edit: (form) => write(form, 'Name', 'Branch'),
    shows: 'Branch',
  },
  {
    path: 'global-configurations',
    view: 'view=table&',
    name: 'Hotline',
    fill: async (form) => {
      await write(form, 'Name', 'Hotline');
      await write(form, 'Key', 'hotline');
      await write(form, 'Value', '8888');
    },
    duplicate: 'Global configuration already exists',
    edit: (form) => write(form, 'Value', '9999'),
    shows: '9999',
  },
  {
    path: 'languages',
    name: 'hours',
    fill: async (form) => {
      await write(form, 'Group', 'shop');
      await write(form, 'Key', 'hours');
      for (const language of ['English', 'Simplified Chinese', 'Traditional Chinese'])
        await write(form, language, 'Open');
      await form.getByRole('button', { name: 'Create' }).click();
      await form.getByText('This field is required.').waitFor();
      await write(form, 'Filipino', 'Bukas');
    },
    duplicate: 'Language line already exists',
    edit: (form) => write(form, 'English', 'Open all day'),
    shows: 'Open all day',
  },
];
