import { getListJob, type LIST_JOB_KINDS, type listJob, startListJob } from '@heliograph/contract/contacts/list-job';
import { listNumber, numberList } from '@heliograph/contract/contacts/number-list';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { BodyInput } from '@heliograph/contract/kernel/operation';
import { ActionIcon, Button, Group, Menu, Modal, Paper, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useChannel, userChannel } from '../../platform/live.ts';
import { readAgain } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { ShareBar } from '../../resource/file-target.tsx';
import { RecordForm } from '../../resource/form.tsx';
import type { Values } from '../../resource/form-values.ts';

type Kind = (typeof LIST_JOB_KINDS)[number];
type Body = BodyInput<typeof startListJob>;
type Selection = NonNullable<Body['selection']>;
type Job = z.output<typeof listJob>;

/** Task that the user has chosen but not yet confirmed. */
interface Wish {
  kind: Kind;
  selection: Selection;
  /** Number of selected rows; null for all rows shown. */
  count: number | null;
  clear?: () => void;
}

const Field = fieldsOf(startListJob.body);
const { target_list_id, list_ids, delete_lists } = startListJob.body.shape;
const toOne = z.object({ target_list_id: target_list_id.unwrap().unwrap() });
const ofMany = z.object({ list_ids: list_ids.unwrap().min(1, { error: 'required' }), delete_lists });
const nothing = z.object({});
const SCHEMAS: Readonly<Record<Kind, z.ZodObject>> = {
  copy: toOne,
  move: toOne,
  merge: ofMany,
  deduplicate: ofMany.omit({ delete_lists: true }),
  delete: nothing,
};
const POLL_MS = 2_000;
const isOver = (job: Job | undefined) => job?.state === 'done' || job?.state === 'failed';

/**
 * Returns the controls for tasks on many numbers of a list: the menu, buttons for selected rows, and a progress panel.
 */
export function useListWork(list: { id: number; corporation_id: number | undefined; shown: Selection }): {
  menu: ReactNode;
  bulk: ((rows: readonly { id: number }[], clear: () => void) => ReactNode) | undefined;
  panel: ReactNode;
} {
  const { t } = useTranslation();
  const [wish, setWish] = useState<Wish | null>(null);
  const [job, setJob] = useState<Job | null>(null);
  const may = useMay(startListJob.permission ?? '');
  const mayAdd = useMay(listNumber.permissions.create);
  const mayDelete = useMay(listNumber.permissions.delete);
  if (!may || list.corporation_id === undefined) return { menu: null, bulk: undefined, panel: null };
  const kinds: readonly [Kind, boolean][] = [
    ['copy', mayAdd],
    ['move', mayAdd && mayDelete],
    ['merge', mayAdd],
    ['deduplicate', mayDelete],
    ['delete', mayDelete],
  ];
  const allowed = kinds.filter(([, may]) => may).map(([kind]) => kind);
  const menu = allowed.length > 0 && (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={16} stroke={1.6} />}>
          {t('list_work.menu')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {allowed.map((kind) => (
          <Menu.Item
            key={kind}
            onClick={() => setWish({ kind, selection: list.shown, count: null })}
            {...(kind === 'delete' ? { c: 'var(--mantine-color-error)' } : {})}
          >
            {t(`list_work.${kind}.action`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
  const chosen = allowed.filter((kind) => kind === 'copy' || kind === 'move');
  const bulk = (rows: readonly { id: number }[], clear: () => void) =>
    chosen.map((kind) => (
      <Button
        key={kind}
        size="xs"
        variant="default"
        onClick={() => setWish({ kind, selection: { ids: rows.map(({ id }) => id) }, count: rows.length, clear })}
      >
        {t(`list_work.${kind}.chosen`)}
      </Button>
    ));
  const panel = (
    <>
      {job && <Progress key={job.id} started={job} onClose={() => setJob(null)} />}
      {wish && (
        <WishForm
          wish={wish}
          list={{ id: list.id, corporation_id: list.corporation_id }}
          onClose={() => setWish(null)}
          onStarted={(started) => {
            setWish(null);
            wish.clear?.();
            setJob(started);
          }}
        />
      )}
    </>
  );
  return { menu, bulk: chosen.length > 0 ? bulk : undefined, panel };
}

/** Form that asks for the details of the task. */
function WishForm(props: {
  wish: Wish;
  list: { id: number; corporation_id: number };
  onClose: () => void;
  onStarted: (job: Job) => void;
}) {
  const { t } = useTranslation();
  const { kind, selection, count } = props.wish;
  const { id, corporation_id } = props.list;
  const ofOthers = kind === 'merge' || kind === 'deduplicate';
  async function submit(values: Values) {
    const body = { kind, ...values, ...(ofOthers ? {} : { selection }) } as Body;
    props.onStarted((await call(startListJob, { params: { id }, body })).data);
  }
  const within = { corporation_id };
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={<Text fw={600}>{t(`list_work.${kind}.title`)}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack>
        <Text size="sm">
          {t(`list_work.${kind}.text`)}{' '}
          {!ofOthers && (count === null ? t('list_work.all_shown') : t('list_work.chosen', { count }))}
        </Text>
        <RecordForm
          name="list-jobs"
          schema={SCHEMAS[kind]}
          initial={{
            ...(ofOthers ? { list_ids: [] } : {}),
            ...(kind === 'merge' ? { delete_lists: false } : {}),
            ...(kind === 'copy' || kind === 'move' ? { target_list_id: null } : {}),
          }}
          submitLabel={t(`list_work.${kind}.submit`)}
          submit={submit}
          onCancel={props.onClose}
        >
          <Field.Reference name="target_list_id" to={numberList} filter={within} />
          <Field.References name="list_ids" to={numberList} filter={within} />
          <Field.Switch name="delete_lists" />
        </RecordForm>
      </Stack>
    </Modal>
  );
}

/** Progress of the task, and its result. */
function Progress({ started, onClose }: { started: Job; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const key = [getListJob.path, started.id];
  const running = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(getListJob, { params: { id: started.id }, signal }),
    initialData: { data: started },
    // The live event usually arrives first. This poll is the guarantee.
    refetchInterval: ({ state }) => (isOver(state.data?.data) ? false : POLL_MS),
  });
  useChannel<Job & { reread?: boolean }>(userChannel(), '.list.progress', (data) => {
    if (data.id !== started.id) return;
    if (data.reread) void readAgain(key);
    else client.setQueryData(key, { data });
  });
  const job = running.data.data;
  const over = isOver(job);
  useEffect(() => {
    if (!over) return;
    void client.invalidateQueries({ queryKey: ['numbers'] });
    void client.invalidateQueries({ queryKey: ['number-lists'] });
  }, [over, client]);
  const { kind, state, rows_total, rows_done, rows_changed } = job;
  const label = t(keyIn('list_work', kind, over ? state : 'running'), {
    count: rows_changed,
    replace: { count: format.integer(rows_changed) },
  });
  const share = state === 'done' ? 1 : rows_total > 0 ? rows_done / rows_total : 0;
  return (
    <Paper className="app-card" p="lg" mb="md" component="section" aria-label={t(`list_work.${kind}.title`)}>
      <Group justify="space-between" mb="sm">
        <Text fw={600}>{t(`list_work.${kind}.title`)}</Text>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actions.close')} onClick={onClose}>
          <IconX size={18} />
        </ActionIcon>
      </Group>
      <ShareBar label={label} share={share} color={state === 'failed' ? 'red' : state === 'done' ? 'teal' : 'brand'} />
      {job.error_code && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mt="xs">
          {t(keyIn('errors', job.error_code))}
        </Text>
      )}
    </Paper>
  );
}
