import { Input, SegmentedControl, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { edit } from './draft.ts';

/**
 * Choice between the same message for everyone and a file. The file holds a personal text per row, or the values for
 * one text.
 */
export function ContentType({ value }: { value: 'single' | 'multi' }) {
  const { t } = useTranslation();
  return (
    <Input.Wrapper label={t('resources.campaigns.fields.content_type')} labelElement="div">
      <div>
        <SegmentedControl
          aria-label={t('resources.campaigns.fields.content_type')}
          data={[
            { value: 'single', label: t('content_type.single') },
            { value: 'multi', label: t('content_type.multi') },
          ]}
          value={value}
          onChange={(next) => edit({ content_type: next === 'multi' ? 'multi' : 'single' })}
        />
      </div>
      <Text size="xs" c="dimmed" mt={4}>
        {t(`content_type.${value}_hint`)}
      </Text>
    </Input.Wrapper>
  );
}
