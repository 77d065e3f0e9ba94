import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { countsQuery } from './use-conversation-list.ts';

/** Sentence under a search that says that it does not look inside encrypted texts, if there are any. */
export function EncryptedHint({ search }: { search: string | undefined }) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...countsQuery, enabled: Boolean(search) });
  if (!search || !data?.encrypted) return null;
  return (
    <Text size="xs" c="dimmed" mt={4} mb={4} role="status">
      {t('inbox.encrypted')}
    </Text>
  );
}
