import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { type ReasonText, reasonCode, reasonTexts } from '@heliograph/contract/links/carrier-status';
import { Text } from '@mantine/core';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { hasText } from '../../platform/language.ts';

const TEXTS = ['carrier_error', 'reject_reason', 'errors'] as const;

/**
 * Returns the sentence for a message's reason: a carrier's status, the state and error of a receipt, or one of our own.
 * Carriers have codes that no table contains; those are shown as received.
 */
export const reasonOf = (reason: string): string => reasonTexts(reason).map(sentence).join(' · ');

function sentence({ key, code }: ReasonText): string {
  const known = TEXTS.map((group) => keyIn(group, key)).find(hasText);
  return known ? i18next.t(known, { code }) : i18next.t('carrier_error.other', { code: code ?? key });
}

/** Returns the sentence for a reason. Adds its code if the sentence does not name it. */
export function reasonWithCode(reason: string): string {
  const [words, code] = [reasonOf(reason), reasonCode(reason)];
  return words.includes(code) ? words : `${words} (${code})`;
}

/** Returns the sentence for the error code of one receipt, without the receipt's state. */
export const errorOf = (error: string): string => reasonTexts(`:${error}`).slice(1).map(sentence).join();

/** Reason of a message as a sentence, with the code beside it. */
export function Reason({ code }: { code: string | null }) {
  useTranslation();
  if (!code)
    return (
      <Text span c="dimmed" inherit aria-hidden="true">
        –
      </Text>
    );
  return (
    <span style={{ display: 'inline-block', whiteSpace: 'normal', minWidth: 180, maxWidth: 320 }}>
      {reasonOf(code)}{' '}
      <Text span size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {reasonCode(code)}
      </Text>
    </span>
  );
}
