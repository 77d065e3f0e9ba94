import type { Operation } from '@heliograph/contract/kernel/operation';
import { Alert, Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../../platform/call.ts';
import { faultOf, problemFrom } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { type Downgrade, Downgrades } from './downgrades.tsx';

interface PlaceDialogProps {
  title: string;
  text: string;
  /** Field for the choice: a corporation, or a reseller. */
  children?: ReactNode;
  /** Operation that returns the people downgraded by the change. */
  preview: Operation;
  /** Corporation that changes its place; null until it is chosen. */
  corporationId: number | null;
  /** Set if this choice can downgrade nobody. */
  harmless?: boolean;
  ready: boolean;
  words: { plain: string; downgrade: string };
  /** Makes the change. `confirmed` are the ids of the people who were shown. Resolves with the message for the user. */
  change: (confirmed: number[]) => Promise<{ message?: string | undefined }>;
  onClose: () => void;
}

/** Dialog that changes a corporation's place among the resellers. It first shows the people who would be downgraded. */
export function PlaceDialog(props: PlaceDialogProps) {
  const { t } = useTranslation();
  const { corporationId, preview, harmless = false, onClose } = props;
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const shown = useQuery({
    queryKey: ['teams', 'preview', preview.path, corporationId],
    queryFn: ({ signal }) =>
      request(preview, { params: { id: corporationId }, signal }) as Promise<{ data: Downgrade[] }>,
    enabled: corporationId !== null && !harmless,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const people = harmless ? [] : shown.data?.data;

  async function confirm(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      const { message } = await props.change((people ?? []).map(({ id }) => id));
      for (const name of ['teams', 'corporations', 'users']) void queryClient.invalidateQueries({ queryKey: [name] });
      void toast('success', message ?? '');
      onClose();
    } catch (error) {
      const changed = problemFrom(error)?.code === 'changed_meanwhile';
      setFailure(changed ? t('teams.changed') : faultOf(error));
      if (changed) void shown.refetch();
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={<Text fw={600}>{props.title}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack component="form" onSubmit={(event) => void confirm(event)}>
        <Text size="sm" c="dimmed">
          {props.text}
        </Text>
        {props.children}
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        {shown.error && !harmless && (
          <Alert color="red" role="alert">
            {faultOf(shown.error)}
          </Alert>
        )}
        {shown.isFetching && !people && <Skeleton h={64} radius="md" />}
        {people && props.ready && <Downgrades people={people} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={!props.ready || !people || (shown.isFetching && !harmless)}>
            {people && people.length > 0 ? props.words.downgrade : props.words.plain}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
