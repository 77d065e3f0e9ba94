import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { cancelTask, listTasks } from '@heliograph/contract/kernel/task';
import { Badge, Button, Drawer, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useChannel, userChannel } from '../../platform/live.ts';
import { openReport } from '../../platform/open-file.ts';
import { readAgain } from '../../platform/queries.ts';
import { useSession } from '../../platform/session.ts';
import { openDialog } from '../../ui/dialogs.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { fetchDownload } from './open-download.ts';

type Tasks = ReplyOf<typeof listTasks>;
type Task = Tasks['data'][number];

const KEY = ['tasks'];
/** Interval of reading in ms while something is under way. The live event usually arrives first. */
const POLL_MS = 3_000;
const COLORS = {
  queued: 'gray',
  running: 'brand',
  ready: 'violet',
  done: 'teal',
  failed: 'red',
  cancelled: 'gray',
} as const;

const isUnderWay = ({ state }: Task) => state === 'queued' || state === 'running';

/** Drawer with everything that is being done for the user: progress, cancellation, refused rows and written files. */
export function TaskDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(listTasks, { signal }),
    // The drawer hears no events while it is closed.
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? POLL_MS : false),
  });
  useChannel<Partial<Task>>(userChannel(), '.task.progress', (news) => {
    const known = client.getQueryData<Tasks>(KEY)?.data.some((task) => isSame(task, news));
    // An event that is too large carries no task, and a new task is in its place only after reading.
    if (!known) return void readAgain(KEY);
    client.setQueryData<Tasks>(
      KEY,
      (before) => before && { data: before.data.map((task) => (isSame(task, news) ? { ...task, ...news } : task)) },
    );
  });
  const tasks = query.data?.data ?? [];
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      title={
        <Text fw={600} size="lg">
          {t('tasks.title')}
        </Text>
      }
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {query.isSuccess && tasks.length === 0 && (
        <EmptyState of="tasks" title={t('tasks.empty')} text={t('tasks.empty_hint')} />
      )}
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {tasks.map((task) => (
          <li key={`${task.type}-${task.id}`}>
            <TaskCard task={task} onClose={onClose} />
          </li>
        ))}
      </Stack>
    </Drawer>
  );
}

const isSame = (task: Task, { type, id }: Partial<Task>) => task.type === type && task.id === id;

/** A task: its name, state and progress, and what can be done with it. */
function TaskCard({ task, onClose }: { task: Task; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isUnread = useSession((s) =>
    s.queueDownloads.some(({ id, downloaded_at }) => id === task.id && !downloaded_at),
  );
  const name = task.file_name ?? t(keyIn('list_work', task.kind, 'title'));
  const counted = (key: 'rows' | 'refused', count: number) =>
    t(`tasks.${key}`, { count, replace: { count: format.integer(count) } });
  const facts = [t(`tasks.type.${task.type}`), format.instant(task.created_at)];
  if (task.rows > 0) facts.push(counted('rows', task.rows));
  if (task.rows_rejected > 0) facts.push(counted('refused', task.rows_rejected));
  return (
    <Paper className="app-card" p="sm" aria-label={name} component="article">
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Badge size="sm" variant="light" color={COLORS[task.state]} style={{ flexShrink: 0 }}>
          {t(`tasks.state.${task.state}`)}
        </Badge>
      </Group>
      <Text size="xs" c="dimmed">
        {facts.join(' · ')}
      </Text>
      {isUnderWay(task) && (
        <Progress
          mt={6}
          value={task.state === 'queued' ? 0 : (task.share ?? 1) * 100}
          animated={task.share === null && task.state === 'running'}
          aria-label={name}
        />
      )}
      {task.state === 'failed' && (
        <Text size="xs" c="var(--mantine-color-error)" mt={4}>
          {t([keyIn('errors', task.error_code), 'errors.internal_error'], task.error_params)}
        </Text>
      )}
      <Group gap="xs" mt={6}>
        {isUnderWay(task) && task.cancelable && (
          <Button size="compact-xs" variant="default" onClick={() => ask(task, name)}>
            {t('tasks.cancel')}
          </Button>
        )}
        {task.state === 'ready' && (
          <Button size="compact-xs" variant="light" component={Link} to="/rates" onClick={onClose}>
            {t('tasks.review')}
          </Button>
        )}
        {task.type === 'download' && task.state === 'done' && (
          <Button
            size="compact-xs"
            variant={isUnread ? 'filled' : 'light'}
            leftSection={<IconDownload size={14} />}
            onClick={() => void fetchDownload(task.id)}
          >
            {t('tasks.download')}
          </Button>
        )}
        {task.error_file && (
          <Button
            size="compact-xs"
            variant="light"
            leftSection={<IconFileSpreadsheet size={14} />}
            onClick={() => void openReport(task.error_file!, `${name.replace(/\.[^.]*$/, '')}-errors`)}
          >
            {t('bulk.report')}
          </Button>
        )}
      </Group>
    </Paper>
  );

  function ask({ type, id }: Task, title: string) {
    openDialog({
      title: t('tasks.cancel_title', { name: title }),
      text: t('tasks.cancel_text'),
      confirm: t('tasks.cancel'),
      cancel: t('tasks.keep'),
      danger: true,
      onConfirm: async () => {
        await call(cancelTask, { params: { id }, body: { type } });
      },
    });
  }
}
