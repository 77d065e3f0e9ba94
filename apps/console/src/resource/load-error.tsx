import { Button, Paper } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { problemFrom, sentenceOf } from '../platform/problem.ts';
import { EmptyState } from '../ui/empty-state.tsx';

/** Notice shown instead of content that could not be read, with the reason and a button to try again. */
export function LoadError(props: { title?: string; error: unknown; retry: () => void; screen?: boolean }) {
  const { t } = useTranslation();
  const refused = (problemFrom(props.error)?.status ?? 500) < 500;
  return (
    <Paper className="app-card" role="alert">
      <EmptyState
        icon={<IconAlertTriangle size={28} stroke={1.5} />}
        screen={props.screen ?? false}
        title={props.title ?? t(refused ? 'list.not_shown' : 'list.error')}
        text={sentenceOf(props.error)}
        action={<Button onClick={props.retry}>{t('actions.retry')}</Button>}
      />
    </Paper>
  );
}
