import { FILE_FORMATS } from '@heliograph/contract/kernel/file-format';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import {
  deleteView,
  SEND_EVERY,
  SENT_REPORTS,
  savedViews,
  saveView,
  sendView,
} from '@heliograph/contract/kernel/saved-view';
import { ActionIcon, Anchor, Button, Group, Modal, Popover, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconBookmark, IconClock, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../platform/call.ts';
import { useFormat } from '../platform/format.ts';
import { sentenceOf } from '../platform/problem.ts';
import { useMay } from '../platform/session.ts';
import { toast } from '../platform/toast.ts';
import { labelOf } from './columns.tsx';

type View = ReplyOf<typeof savedViews>['data'][number];

/**
 * Parameters that a view does not store. A view does not depend on the days on which it was saved, and starts on its
 * first page.
 */
const NOT_SAVED: ReadonlySet<string> = new Set(['from', 'to', 'page', 'download']);
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/**
 * Saved views of the caller for the list on the screen: filters, columns and order under a name. A view of a report can
 * be sent by email.
 */
export function SavedViews(props: { name: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const list = useLocation({ select: ({ pathname }) => pathname.slice(1).replaceAll('/', '-').toLowerCase() });
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState('');
  const [sent, setSent] = useState<View | null>(null);
  const mayDownload = useMay(`${list}-download`);
  const maySend = mayDownload && (SENT_REPORTS as readonly string[]).includes(list);
  const key = ['saved-views', list];
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(savedViews, { query: { list }, signal }),
    enabled: opened,
  });
  const views = data?.data ?? [];
  const changed = (work: Promise<unknown>) =>
    work.then(
      () => client.invalidateQueries({ queryKey: key }),
      (error: unknown) => toast('error', sentenceOf(error)),
    );

  function open(view: View) {
    setOpened(false);
    const days = Object.fromEntries(Object.entries(search).filter(([each]) => each === 'from' || each === 'to'));
    const usable = Object.entries(view.query).filter(([filter]) => !view.unusable.includes(filter));
    if (view.unusable.length > 0) {
      const filters = view.unusable.map((filter) => labelOf(props.name, filter)).join(', ');
      void toast('warning', t('views.left_out', { name: view.name, filters }));
    }
    void navigate({ to: '.', search: { ...days, ...Object.fromEntries(usable) }, resetScroll: false });
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    const query = Object.fromEntries(
      Object.entries(search).flatMap(([each, value]) =>
        value === undefined || NOT_SAVED.has(each) ? [] : [[each, String(value)]],
      ),
    );
    await changed(call(saveView, { body: { list, name: name.trim(), query } }));
    setName('');
  }

  return (
    <>
      <Popover position="bottom-end" shadow="md" width={300} trapFocus opened={opened} onChange={setOpened}>
        <Popover.Target>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('views.title')}
            title={t('views.title')}
            onClick={() => setOpened(!opened)}
          >
            <IconBookmark size={18} stroke={1.6} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>
          <Stack gap="sm">
            {views.length === 0 && (
              <Text size="sm" c="dimmed">
                {t('views.none')}
              </Text>
            )}
            {views.map((view) => (
              <Group key={view.id} justify="space-between" wrap="nowrap" gap="xs">
                <Anchor component="button" type="button" size="sm" ta="left" truncate onClick={() => open(view)}>
                  {view.name}
                </Anchor>
                <Group gap={4} wrap="nowrap">
                  {maySend && (
                    <ActionIcon
                      variant={view.every ? 'light' : 'subtle'}
                      color={view.every ? 'teal' : 'gray'}
                      aria-label={t('views.send', { name: view.name })}
                      title={t('views.send', { name: view.name })}
                      onClick={() => setSent(view)}
                    >
                      <IconClock size={16} stroke={1.6} />
                    </ActionIcon>
                  )}
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('views.remove', { name: view.name })}
                    title={t('views.remove', { name: view.name })}
                    onClick={() => void changed(call(deleteView, { params: { id: view.id } }))}
                  >
                    <IconTrash size={16} stroke={1.6} />
                  </ActionIcon>
                </Group>
              </Group>
            ))}
            <form onSubmit={(event) => void save(event)}>
              <Group gap="xs" align="end" wrap="nowrap">
                <TextInput
                  label={t('views.name')}
                  size="xs"
                  flex={1}
                  maxLength={60}
                  value={name}
                  onChange={(event) => setName(event.currentTarget.value)}
                />
                <Button type="submit" size="xs" disabled={name.trim() === ''}>
                  {t('views.save')}
                </Button>
              </Group>
            </form>
          </Stack>
        </Popover.Dropdown>
      </Popover>
      {sent && <SendView view={sent} onClose={() => setSent(null)} onSaved={(work) => void changed(work)} />}
    </>
  );
}

/** Dialog for how often the report of a view is sent by email. */
function SendView(props: { view: View; onClose: () => void; onSaved: (work: Promise<unknown>) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { view } = props;
  const [every, setEvery] = useState<View['every']>(view.every ?? 'week');
  const [hour, setHour] = useState(view.hour);
  const [file, setFile] = useState(view.format);
  const send = (often: View['every']) => {
    props.onSaved(call(sendView, { params: { id: view.id }, body: { every: often, hour, format: file } }));
    props.onClose();
  };
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={<Text fw={600}>{t('views.send', { name: view.name })}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {view.next_at ? t('views.next', { at: format.instant(view.next_at) }) : t('views.hint')}
        </Text>
        <Select
          label={t('views.every')}
          allowDeselect={false}
          value={every}
          onChange={(value) => setEvery(value as View['every'])}
          data={SEND_EVERY.map((value) => ({ value, label: t(`views.each.${value}`) }))}
        />
        <Select
          label={t('views.hour')}
          allowDeselect={false}
          value={String(hour)}
          onChange={(value) => setHour(Number(value))}
          data={HOURS.map((value) => ({ value: String(value), label: `${String(value).padStart(2, '0')}:00` }))}
        />
        <Select
          label={t('report_format.title')}
          allowDeselect={false}
          value={file}
          onChange={(value) => setFile(value as View['format'])}
          data={FILE_FORMATS.map((value) => ({ value, label: t(`report_format.${value}`) }))}
        />
        <Group justify="flex-end" gap="xs">
          {view.every && (
            <Button variant="default" onClick={() => send(null)}>
              {t('views.stop')}
            </Button>
          )}
          <Button onClick={() => send(every)}>{t('views.start')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
