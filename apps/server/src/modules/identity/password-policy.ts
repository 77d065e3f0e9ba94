import { isLeaked } from './common-passwords.ts';

/** Operator's rules for passwords: the global configuration's `password_policy` and `password_max_length`. */
export interface PasswordPolicy {
  rule: 'standard' | 'strong';
  /** Raises the rule's upper bound; never lowers it. */
  max_length: number;
}

/** Keys of sentences under `validation.`. */
export type PasswordFault = 'password_standard' | 'password_strong' | 'password_common';

const SHORTEST = 8;
const LONGEST = { standard: 16, strong: 14 } as const;

/** Beginnings of passwords that people choose when they must use a digit and a special character. */
const COMMON =
  'password,passw0rd,qwerty,qwertz,azerty,letmein,welcome,iloveyou,abc,abcd,monkey,dragon,admin,administrator,root,login,princess,football,baseball,sunshine,master,superman,batman,trustno,hello,freedom,whatever,shadow,michael,jordan,hunter,secret,changeme,default,test,testing,guest,summer,winter,spring,autumn,asdf,asdfgh,asdfghjkl,zxcvbnm,zxcvbn,mahalkita,manila,pilipinas,heliograph'.split(
    ',',
  );

/** Finds the fault of a new password under a policy; undefined if it is good. */
export function passwordFault(password: string, policy: PasswordPolicy): PasswordFault | undefined {
  const length = [...password].length;
  const fits = length >= SHORTEST && length <= Math.max(policy.max_length, LONGEST[policy.rule]);
  const special = /[^\p{L}\p{N}\s]/u.test(password) && /\p{N}/u.test(password);
  const mixed = policy.rule === 'standard' || (/\p{Lu}/u.test(password) && /\p{Ll}/u.test(password));
  if (!fits || !special || !mixed) return policy.rule === 'strong' ? 'password_strong' : 'password_standard';
  return isCommon(password) || isLeaked(password) ? 'password_common' : undefined;
}

/** Recognizes a common word, a year or a run of digits, with a few signs: `Password1!`, `@dm1n#2024`, `12345678!`. */
function isCommon(password: string): boolean {
  const plain = password.toLowerCase().normalize('NFKC');
  const core = unspell(plain).replace(/[^a-z]/g, '');
  const rest = plain.replace(/[^\p{L}]/gu, '');
  if (COMMON.includes(rest) || COMMON.includes(core)) return true;
  const digits = plain.replace(/\D/g, '');
  const run = '01234567890123456789';
  const reversed = [...run].reverse().join('');
  if (rest === '' && (run.includes(digits) || reversed.includes(digits) || /^(\d{1,4})\1+$/.test(digits))) return true;
  return new Set(plain).size < 4;
}

const LETTERS: Readonly<Record<string, string>> = {
  '@': 'a',
  4: 'a',
  3: 'e',
  1: 'i',
  '!': 'i',
  0: 'o',
  $: 's',
  5: 's',
  7: 't',
};

/** Replaces digits and signs inside a word by the letters they represent; those at its end stay. */
function unspell(text: string): string {
  return text.replace(/[^a-z]+$/, '').replace(/[@4310$57!]/g, (sign) => LETTERS[sign]!);
}
