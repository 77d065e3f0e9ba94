import { segment } from '@heliograph/contract/audience/segment';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../platform/session.ts';
import { ReferencesSelect } from '../../../resource/reference.tsx';
import { edit } from './draft.ts';

/** Choice of segments as recipients. Their contacts are found when the message is checked. */
export function SegmentChoice(props: {
  chosen: readonly number[];
  corporationId: number | undefined;
  error: string | undefined;
}) {
  const { t } = useTranslation();
  const may = useMay(segment.permissions.index);
  const { chosen, corporationId, error } = props;
  if (!may && chosen.length === 0) return null;
  return (
    <ReferencesSelect
      to={segment}
      label={t('resources.segments.many')}
      description={t('compose.segments_hint')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      maxValues={20}
      within={corporationId === undefined ? {} : { corporation_id: corporationId }}
      value={chosen}
      error={error}
      onChange={(segment_ids) => edit({ segment_ids })}
    />
  );
}
