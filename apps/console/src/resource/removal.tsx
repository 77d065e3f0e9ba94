import type { Removal } from '@heliograph/contract/kernel/removal';
import { Text, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../platform/format.ts';

/** Returns the function that says when and why a text or the last digits of a number were removed. */
export function useRemoval(): (what: 'text' | 'number', removal: Removal) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (what, { by, days, at }) => {
    const date = at === null ? '' : format.date(at);
    if (by === 'person')
      return t(what === 'text' && at !== null ? 'removal.text_person' : 'removal.number_person', { date });
    if (by === 'platform') return t('removal.text_platform', { date });
    return t(what === 'text' ? 'removal.text_corporation' : 'removal.number_corporation', { date, days: days ?? 0 });
  };
}

/** Number of a row. One that has lost its last four digits says so, also to screen readers. */
export function CutNumber({ number, cut }: { number: string; cut: boolean }) {
  const { t } = useTranslation();
  return cut ? <Explained text={`${number}…`} why={t('removal.cut')} /> : number;
}

/** Names that a conversation has in place of a number that was removed by a rule, or erased. */
const GONE = /^(removed|erased)-\d+$/;

/** Tells whether a conversation has lost its number. */
export const isNumberGone = (oa: string): boolean => GONE.test(oa);

/** Returns the function that names the phone of a conversation: by its number, or in words if that is gone. */
export function usePhoneName(): (oa: string) => string {
  const { t } = useTranslation();
  return (oa) => (isNumberGone(oa) ? t(`removal.${GONE.exec(oa)![1] as 'removed' | 'erased'}`) : oa);
}

/** Number of a phone, or why it is gone. */
export function PhoneNumber({ oa }: { oa: string }) {
  const { t } = useTranslation();
  const name = usePhoneName();
  if (!isNumberGone(oa)) return oa;
  return <Explained text={name(oa)} why={t(oa.startsWith('erased') ? 'removal.why_erased' : 'removal.why_removed')} />;
}

/** Word with an explanation that appears at the pointer or a touch, and is read aloud. */
function Explained({ text, why }: { text: string; why: string }) {
  return (
    <Tooltip label={why} multiline maw={280} events={{ hover: true, focus: false, touch: true }}>
      <Text span inherit td="underline dotted" style={{ cursor: 'help' }}>
        {text}
        <span className="app-visually-hidden"> ({why})</span>
      </Text>
    </Tooltip>
  );
}
