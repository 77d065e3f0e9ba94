import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DateRangeInput } from './date-input.tsx';
import { movedMonths, type PeriodFault } from './period.ts';

type Range = [string | null, string | null];

interface PeriodInputProps {
  /** Today in the time zone of the person's screen. */
  today: string;
  fault: PeriodFault | undefined;
  value: Range;
  /** Called once both ends are chosen. */
  onChange: (range: [string, string]) => void;
  /** Called when the period is cleared. Without it, the period cannot be cleared. */
  onClear?: () => void;
}

/** Input for the period of a report: at most one month, with any date within the last 12 months. */
export function PeriodInput(props: PeriodInputProps) {
  const { t } = useTranslation();
  const [from, to] = props.value;
  const [range, setRange] = useState<Range>([from, to]);
  // The address has priority: a filter that was cleared elsewhere is cleared here too.
  const [seen, setSeen] = useState({ from, to });
  if (seen.from !== from || seen.to !== to) {
    setSeen({ from, to });
    setRange([from, to]);
  }
  const { onClear } = props;
  return (
    <DateRangeInput
      miw={{ base: '100%', xs: 200 }}
      label={t('report.period')}
      clearable={onClear !== undefined}
      {...(onClear ? { placeholder: t('common.all') } : {})}
      minDate={movedMonths(props.today, -12)}
      maxDate={props.today}
      error={props.fault && t(`validation.${props.fault}`)}
      value={range}
      onChange={(next) => {
        setRange(next);
        if (next[0] && next[1]) props.onChange([next[0], next[1]]);
        else if (!next[0] && !next[1]) onClear?.();
      }}
    />
  );
}
