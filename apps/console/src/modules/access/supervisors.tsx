import { setSupervisors, supervisorCandidates, user } from '@heliograph/contract/access/user';
import { Alert, Button, Checkbox, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { type Contest, contestsOf, EditConflict } from '../../resource/edit-conflict.tsx';
import type { UserRow } from './users.tsx';

type Base = Pick<UserRow, 'supervisors' | 'etag'>;

/** Dialog to choose the people who approve a person's campaigns. */
export function Supervisors(props: { row: UserRow; onClose: () => void }) {
  const { t } = useTranslation();
  const { row, onClose } = props;
  const { chosen, setChosen, base, contests, choose, failure, busy, save } = useChoice(row, onClose);
  const [search, setSearch] = useState('');
  const found = useCandidates(row, search);
  const nameOf = (id: number) =>
    [...row.supervisors, ...base.supervisors, ...(found ?? [])].find((person) => person.id === id)?.name ?? '…';

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
        {contests.length > 0 && (
          <EditConflict
            name="users"
            schema={user.update}
            contests={contests.map((each) => ({
              ...each,
              mine: (each.mine as number[]).map((id) => nameOf(id)),
              theirs: base.supervisors.map(({ name }) => name),
            }))}
            choose={choose}
          />
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

/** Returns the people who can approve a person's campaigns and match a search; undefined until they are read. */
function useCandidates(row: UserRow, search: string) {
  const [wanted] = useDebouncedValue(search.trim(), 200);
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
  return query.data?.data;
}

/** Holds the choice, and saves it unless another person changed it meanwhile. */
function useChoice(row: UserRow, onClose: () => void) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(() => row.supervisors.map(({ id }) => String(id)));
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [base, setBase] = useState<Base>(row);
  const [contests, setContests] = useState<readonly Contest[]>([]);

  /** Saves the choice. Saves nothing if another person changed it meanwhile. */
  async function send(before: Base): Promise<{ message?: string | undefined } | undefined> {
    const supervisor_ids = chosen.map(Number);
    try {
      return await call(setSupervisors, { params: { id: row.id }, body: { supervisor_ids }, ifMatch: before.etag });
    } catch (error) {
      const conflict = problemFrom(error)?.conflict;
      if (!conflict) throw error;
      const now = { ...conflict.current, etag: conflict.etag } as unknown as Base;
      setBase(now);
      const contested = contestsOf({ unshown: {} }, conflict, { ...before }, { supervisors: supervisor_ids });
      setContests(contested);
      return contested.length > 0 ? undefined : await send(now);
    }
  }

  async function save() {
    if (contests.some(({ choice }) => choice === null)) return setFailure(t('conflict.choose'));
    setBusy(true);
    setFailure(null);
    try {
      const reply = await send(base);
      if (!reply) return;
      void toast('success', reply.message ?? '');
      await queryClient.invalidateQueries({ queryKey: ['users'] });
      onClose();
    } catch (error) {
      setFailure(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  function choose(_field: string, choice: 'mine' | 'theirs') {
    setContests((all) => all.map((each) => ({ ...each, choice })));
    const theirs = base.supervisors.map(({ id }) => id);
    for (const { mine } of contests) setChosen((choice === 'mine' ? (mine as number[]) : theirs).map(String));
  }

  return { chosen, setChosen, base, contests, choose, failure, busy, save };
}
