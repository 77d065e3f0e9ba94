import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { Operation, ReplyOf } from '@heliograph/contract/kernel/operation';
import { Button, Paper, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../platform/call.ts';
import { problemFrom } from '../platform/problem.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Link } from '../ui/link.tsx';
import { LoadError } from './load-error.tsx';
import { inSentence } from './none-yet.ts';

type RecordOf<O extends Operation> = ReplyOf<O> extends { data: infer Row } ? Row : never;

interface OneRecordProps<O extends Operation> {
  /** Kind of the record. Its reads are cached under `[name, 'one', id]`. */
  name: string;
  /** Operation that returns one record by its id. */
  operation: O;
  /** Text shown if there is no such record. */
  notFound: string;
  /** Milliseconds between two reads; false for no repeated reads. */
  refreshEvery?: number | ((row: RecordOf<O> | undefined) => number | false);
  children: (row: RecordOf<O>) => ReactNode;
}

/** Record named by the id in the address. Until it is loaded, a placeholder or the error is shown. */
export function OneRecord<O extends Operation>(props: OneRecordProps<O>) {
  const { t } = useTranslation();
  const { id } = useParams({ strict: false }) as { id: string };
  const { name, operation, refreshEvery = false } = props;
  const query = useQuery({
    queryKey: [name, 'one', Number(id)],
    queryFn: ({ signal }) => request(operation, { params: { id }, signal }) as Promise<{ data: RecordOf<O> }>,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      typeof refreshEvery === 'function' ? refreshEvery(state.data?.data) : refreshEvery,
  });
  const row = query.data?.data;
  if (row !== undefined) return props.children(row);
  if (problemFrom(query.error)?.status === 404) return <NotThere name={name} title={props.notFound} />;
  if (query.error)
    return <LoadError screen title={props.notFound} error={query.error} retry={() => void query.refetch()} />;
  return (
    <Stack role="status" aria-label={t('common.loading')}>
      <Skeleton h={34} w={320} maw="100%" />
      <Skeleton h={160} radius="lg" />
      <Skeleton h={280} radius="lg" />
    </Stack>
  );
}

/** Notice that a record does not exist or is not the user's, with the way to the list of all. */
function NotThere({ name, title }: { name: string; title: string }) {
  const { t } = useTranslation();
  return (
    <Paper className="app-card" role="alert">
      <EmptyState
        screen
        of={name}
        title={title}
        text={t('pages.record_gone')}
        action={
          <Button component={Link} to={`/${name}`}>
            {t('pages.to_list', { records: inSentence(t(keyIn('resources', name, 'many'))) })}
          </Button>
        }
      />
    </Paper>
  );
}
