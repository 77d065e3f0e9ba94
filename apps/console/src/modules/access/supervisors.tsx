import { setSupervisors, supervisorCandidates } from '@heliograph/contract/access/user';
import { Alert, Button, Checkbox, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import type { UserRow } from './users.tsx';

/** Chooses who approves somebody's campaigns. */
export function Supervisors(props: { row: UserRow; onClose: () => void }) {
  const { t } = useTranslation();
  const { row, onClose } = props;
  const [chosen, setChosen] = useState(() => row.supervisors.map(({ id }) => String(id)));
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 200);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { corporation_id, department_id } = row;
  const query = useQuery({
    queryKey: ['users', 'supervisors', row.id, wanted],
    queryFn: ({ signal }) =>
      call(supervisorCandidates, {
        query: {
          corporation_id: corporation_id!,
          user_id: row.id,
          ...(department_id === null ? {} : { department_id }),
          ...(wanted === '' ? {} : { search: wanted }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const found = query.data?.data;

  async function save() {
    setBusy(true);
    setFailure(null);
    try {
      const reply = await call(setSupervisors, {
        params: { id: row.id },
        body: { supervisor_ids: chosen.map(Number) },
      });
      void toast('success', reply.message ?? '');
      await queryClient.invalidateQueries({ queryKey: ['users'] });
      onClose();
    } catch (error) {
      setFailure(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>{t('users.supervisors_title', { name: row.name })}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('users.supervisors_text')}
        </Text>
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <TextInput
          type="search"
          aria-label={t('list.search')}
          placeholder={t('list.search')}
          leftSection={<IconSearch size={16} stroke={1.6} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {!found && <Skeleton h={80} radius="md" />}
        {found?.length === 0 && <Text size="sm">{t('users.supervisors_none')}</Text>}
        {found && found.length > 0 && (
          <Checkbox.Group value={chosen} onChange={setChosen} aria-label={t('users.supervisors')}>
            <Stack gap="sm" mah={320} style={{ overflowY: 'auto' }}>
              {found.map(({ id, name, email }) => (
                <Checkbox key={id} value={String(id)} label={name} description={email} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button loading={busy} onClick={() => void save()}>
            {t('actions.save')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
