import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface LoadMoreProps {
  /** An infinite query. */
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
}

/** Button below a short list that reads its next page, as long as there is one. */
export function LoadMore({ list }: LoadMoreProps) {
  const { t } = useTranslation();
  if (!list.hasNextPage) return null;
  return (
    <Button
      mt="sm"
      size="xs"
      variant="default"
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {t('list.load_more')}
    </Button>
  );
}
