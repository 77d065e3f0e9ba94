import { checkNumber, type NumberFault, type NumberRules } from '@heliograph/contract/kernel/number-rules';

export type PastedFault = NumberFault | 'duplicate';

/** Result of checking pasted numbers. */
export interface PastedNumbers {
  /** Distinct valid numbers, in the order they were entered. */
  good: string[];
  /** Number of entries that were written without a country code, and are read with it. */
  national: number;
  /** Number of entries left out, by reason. */
  bad: Partial<Record<PastedFault, number>>;
  /** Entries that were left out, with their reason, at most `LISTED` of them. Duplicates are only counted. */
  listed: { entry: string; fault: NumberFault }[];
}

export const LISTED = 50;

/** Splits pasted text at commas, semicolons, tabs and new lines and checks each number by the operator's rules. */
export function checkPasted(text: string, rules: NumberRules): PastedNumbers {
  const good = new Set<string>();
  const bad: PastedNumbers['bad'] = {};
  let national = 0;
  const listed: PastedNumbers['listed'] = [];
  for (const entry of text.split(/[,;\n\r\t]+/)) {
    const trimmed = entry.trim();
    if (trimmed === '') continue;
    const { msisdn, national: atHome, fault } = checkNumber(trimmed, rules);
    if (fault) {
      bad[fault] = (bad[fault] ?? 0) + 1;
      if (listed.length < LISTED) listed.push({ entry: trimmed, fault });
    } else if (good.has(msisdn)) bad.duplicate = (bad.duplicate ?? 0) + 1;
    else {
      good.add(msisdn);
      if (atHome) national++;
    }
  }
  return { good: [...good], national, bad, listed };
}

/** Returns the pasted text with only the valid numbers, each once and on its own line. */
export const onlyGood = (pasted: PastedNumbers): string => pasted.good.join('\n');
