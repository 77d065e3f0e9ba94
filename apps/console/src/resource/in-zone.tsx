import { useTranslation } from 'react-i18next';
import { useZone } from '../platform/format.ts';

/** Says in which zone a screen's days and times are. */
export function InZone() {
  const { t } = useTranslation();
  return <> {t('report.in_zone', { zone: useZone().replaceAll('_', ' ') })}</>;
}
