import type { SegmentNames, SegmentRule } from '@heliograph/contract/audience/segment-rule';
import { explainSegment, type SegmentVoice } from '@heliograph/contract/audience/segment-sentence';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';

/** Returns a function that writes a rule as a sentence in the user's language. */
export function useExplain(): (rule: Pick<SegmentRule, 'match' | 'rules'>, names: SegmentNames) => string {
  const { t } = useTranslation();
  const format = useFormat();
  const voice: SegmentVoice = {
    t: (key, params) => t(key, { ...params }),
    date: (day) => format.date(day),
    number: (value) => format.decimal(String(value)),
  };
  return (rule, names) => explainSegment(rule, names, voice);
}
