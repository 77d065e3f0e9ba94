import { z } from 'zod';
import { senderAddress } from '../senders/sender-id.ts';
import { label } from './fields.ts';
import { type IssueText, issueText } from './issues.ts';
import { timeZone } from './time-zones.ts';

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: 'integer' })
    .refine((value) => Number(value) >= min, { error: `too_small_${min}`, abort: true })
    .refine((value) => Number(value) <= max, { error: `too_big_${max}` });
/** Returns the schema of the days for which records are kept: at least `least`, or 0 for forever. */
const keptDays = (least: number) =>
  whole(0, 9_999).refine((value) => Number(value) === 0 || Number(value) >= least, { error: `too_small_${least}` });
const colour = z.string().regex(/^#[0-9a-f]{6}$/i, { error: 'color' });
const currency = z.string().regex(/^[A-Z]{3}$/, { error: 'currency' });

/** Logins of the demo that the sign-in page offers. */
export const demoLogins = z.object({
  password: z.string().max(200),
  logins: z.array(z.object({ username: z.string().max(254), role: z.string().max(60) })).max(50),
});

/** Schema of email addresses, separated by commas; empty for none. */
const addresses = z
  .string()
  .refine((value) => value.split(',').every((each) => each.trim() === '' || z.email().safeParse(each.trim()).success), {
    error: 'email',
  });

/** Returns the schema of a text with JSON of the given form; empty for none. */
const json = (form: z.ZodType) =>
  z.string().superRefine((value, ctx) => {
    if (value === '') return;
    try {
      if (!form.safeParse(JSON.parse(value)).success) ctx.addIssue({ code: 'custom', message: 'json_form' });
    } catch {
      ctx.addIssue({ code: 'custom', message: 'json' });
    }
  });

/** Type of a value: it decides how the value is written and entered. */
type SettingType = 'text' | 'integer' | 'boolean' | 'choice' | 'color' | 'currency' | 'timezone' | 'json';

/** Sections of the settings' page, in order. */
export const SETTING_SECTIONS = ['brand', 'numbers', 'passwords', 'retention', 'sending', 'alarms', 'demo'] as const;
export type SettingSection = (typeof SETTING_SECTIONS)[number];

interface Kind {
  type: SettingType;
  value: z.ZodType<string>;
  options?: readonly string[];
  /** Unit of a number; 0 stands for the text `configuration_zero.<zero>`. */
  unit?: 'days' | 'digits' | 'characters' | 'seconds';
  zero?: 'forever' | 'never' | 'by_rule' | 'always';
}

export interface Setting extends Kind {
  /** Section of the page; undefined for a setting that only the table shows. */
  section?: SettingSection;
  /** Value that a new installation starts with. */
  standard: string;
}

const choice = (...options: string[]): Kind => ({ type: 'choice', value: z.enum(options), options });
const integer = (min: number, max: number): Kind => ({ type: 'integer', value: whole(min, max) });
const boolean: Kind = { type: 'boolean', value: z.enum(['true', 'false']), options: ['true', 'false'] };
const text = (value: z.ZodType<string>): Kind => ({ type: 'text', value });
const fewDigits = text(z.string().regex(/^\d{0,3}$/, { error: 'digits' }));
const listed = (section: SettingSection, kind: Kind, standard: string): Setting => ({ ...kind, section, standard });
const kept = (least: number): Setting =>
  listed('retention', { type: 'integer', value: keptDays(least), unit: 'days', zero: 'forever' }, '0');

/** Settings that the program reads, with their allowed values. All others are the operator's own notes. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  app_name: listed('brand', text(label(60)), 'Heliograph'),
  app_color: listed('brand', { type: 'color', value: colour }, '#2f6fde'),
  currency: listed('brand', { type: 'currency', value: currency }, 'PHP'),
  timezone: listed('brand', { type: 'timezone', value: timeZone }, 'Asia/Manila'),
  number_min: listed('numbers', { ...integer(4, 15), unit: 'digits' }, '10'),
  number_max: listed('numbers', { ...integer(4, 15), unit: 'digits' }, '13'),
  number_start: listed('numbers', text(z.string().regex(/^\d{0,15}$/, { error: 'digits' })), '63'),
  number_start_with_any_msisdn: listed('numbers', boolean, 'false'),
  number_read_national: listed('numbers', boolean, 'true'),
  number_country_code: listed('numbers', fewDigits, '63'),
  number_trunk_prefix: listed('numbers', fewDigits, '0'),
  number_national_start: listed('numbers', fewDigits, '9'),
  password_policy: listed('passwords', choice('standard', 'strong'), 'standard'),
  password_max_length: listed('passwords', { ...integer(0, 200), unit: 'characters', zero: 'by_rule' }, '0'),
  password_max_age_days: listed('passwords', { ...integer(0, 3_650), unit: 'days', zero: 'never' }, '0'),
  recoveries_four_eyes: listed('passwords', boolean, 'true'),
  proof_from_amount: listed('passwords', { ...integer(0, 999_999_999), zero: 'always' }, '10000'),
  texts_kept_days: kept(7),
  messages_kept_days: kept(31),
  log_kept_days: kept(31),
  erasures_four_eyes: listed('retention', boolean, 'true'),
  alarm_link_seconds: listed('alarms', { ...integer(5, 3_600), unit: 'seconds' }, '30'),
  alarm_queue_seconds: listed('alarms', { ...integer(10, 86_400), unit: 'seconds' }, '120'),
  alarm_mail_to: listed('alarms', text(addresses), ''),
  alarm_url: listed('alarms', text(z.url({ protocol: /^https?$/, error: 'url' }).or(z.literal(''))), ''),
  undo_seconds: listed('sending', { ...integer(0, 60), unit: 'seconds', zero: 'never' }, '10'),
  undo_messages: listed('sending', integer(1, 10_000_000), '100'),
  web_links: listed('sending', choice('off', 'shadow', 'enforced'), 'off'),
  negative_margins: listed('sending', choice('off', 'warn', 'refuse'), 'warn'),
  otp_sender_id: listed('sending', text(senderAddress), 'Heliograph'),
  senders_need_approval: listed('sending', boolean, 'true'),
  senders_four_eyes: listed('sending', boolean, 'false'),
  demo: listed('demo', boolean, 'false'),
  demo_logins: { type: 'json', value: json(demoLogins), standard: '' },
};

/** Returns the schema of the values of settings, by key. */
export const settingsForm = (keys: readonly string[]) =>
  z.object(Object.fromEntries(keys.map((key) => [key, SETTINGS[key]!.value])));

/** Returns the definition of a setting; undefined for one of the operator's own. */
export const settingOf = (key: string): Setting | undefined =>
  Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined;

/** Returns the value of a setting as it is stored. A value with several names is stored under one of them. */
export function storedSetting(key: string, value: string): string {
  return settingOf(key)?.value.safeParse(value).data ?? value;
}

/** Returns the fault of a setting's value; undefined if there is none. */
export function settingFault(key: string, value: string): IssueText | undefined {
  const issue = settingOf(key)?.value.safeParse(value, { reportInput: true }).error?.issues[0];
  return issue && issueText(issue);
}
