import { useTranslation } from 'react-i18next';
import { useZone } from '../platform/format.ts';

/** Text that names the time zone of a screen's days and times. */
export function InZone() {
  const { t } = useTranslation();
  return <> {t('report.in_zone', { zone: useZone().replaceAll('_', ' ') })}</>;
}
