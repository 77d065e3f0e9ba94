import { Button, Center } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { sentenceOf } from '../platform/problem.ts';
import { EmptyState } from '../ui/empty-state.tsx';

/** Shown in place of a screen that threw. */
export function Crashed({ error }: ErrorComponentProps) {
  const { t } = useTranslation();
  return (
    <Center mih="60vh" role="alert">
      <EmptyState
        title={t('pages.crashed')}
        text={sentenceOf(error)}
        action={<Button onClick={() => location.reload()}>{t('actions.reload')}</Button>}
      />
    </Center>
  );
}
