import type { Operation } from '@heliograph/contract/kernel/operation';
import { useTranslation } from 'react-i18next';
import { useFiguresAsOf } from '../platform/figures-as-of.ts';
import { useFormat } from '../platform/format.ts';

/** Text after a report's subtitle: the time of its figures, if they are not current. */
export function FiguresAsOf({ of }: { of: Operation }) {
  const { t } = useTranslation();
  const format = useFormat();
  const asOf = useFiguresAsOf((moments) => moments[of.path]);
  if (asOf === undefined) return null;
  return (
    <>
      {' · '}
      <time dateTime={asOf}>{t('report.as_of', { time: format.time(asOf) })}</time>
    </>
  );
}
