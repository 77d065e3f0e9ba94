import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../platform/format.ts';
import { useNumberRules } from '../../../platform/number-rules.ts';
import { edit, useDraft } from './draft.ts';

/** Note with the count of numbers to which the country code was added. It offers to undo that. */
export function NationalNote({ count }: { count: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const reads = useDraft((draft) => draft.read_national);
  const national = useNumberRules()?.national;
  if (!national || (reads && count === 0)) return null;
  const code = `+${national.country_code}`;
  return (
    <Text size="xs" c="dimmed">
      {reads ? t('national.read', { count, replace: { count: format.integer(count), code } }) : t('national.off')}{' '}
      <Anchor component="button" type="button" size="xs" onClick={() => edit({ read_national: !reads })}>
        {t(reads ? 'national.undo' : 'national.redo', { code })}
      </Anchor>
    </Text>
  );
}
