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
interface Setting {
  type: SettingType;
  value: z.ZodType<string>;
  options?: readonly string[];
}

const choice = (...options: string[]): Setting => ({ type: 'choice', value: z.enum(options), options });
const integer = (min: number, max: number): Setting => ({ type: 'integer', value: whole(min, max) });
const boolean: Setting = { type: 'boolean', value: z.enum(['true', 'false']), options: ['true', 'false'] };

const fewDigits: Setting = { type: 'text', value: z.string().regex(/^\d{0,3}$/, { error: 'digits' }) };

/** Settings that the program reads, with their allowed values. All others are the operator's own notes. */
const SETTINGS: Readonly<Record<string, Setting>> = {
  app_name: { type: 'text', value: label(60) },
  app_color: { type: 'color', value: colour },
  currency: { type: 'currency', value: currency },
  timezone: { type: 'timezone', value: timeZone },
  number_min: integer(4, 15),
  number_max: integer(4, 15),
  number_start: { type: 'text', value: z.string().regex(/^\d{0,15}$/, { error: 'digits' }) },
  number_start_with_any_msisdn: boolean,
  number_read_national: boolean,
  number_country_code: fewDigits,
  number_trunk_prefix: fewDigits,
  number_national_start: fewDigits,
  password_policy: choice('standard', 'strong'),
  password_max_length: integer(0, 200),
  password_max_age_days: integer(0, 3_650),
  texts_kept_days: { type: 'integer', value: keptDays(7) },
  messages_kept_days: { type: 'integer', value: keptDays(31) },
  alarm_link_seconds: integer(5, 3_600),
  alarm_queue_seconds: integer(10, 86_400),
  alarm_mail_to: { type: 'text', value: addresses },
  alarm_url: { type: 'text', value: z.url({ protocol: /^https?$/, error: 'url' }).or(z.literal('')) },
  undo_seconds: integer(0, 60),
  undo_messages: integer(1, 10_000_000),
  otp_sender_id: { type: 'text', value: senderAddress },
  demo: boolean,
  demo_logins: { type: 'json', value: json(demoLogins) },
};

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
