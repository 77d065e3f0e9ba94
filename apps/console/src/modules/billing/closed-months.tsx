import {
  askToReopenMonth,
  checkMonth,
  closedMonths,
  closeMonth,
  reopenMonth,
} from '@heliograph/contract/billing/closed-month';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Alert, Badge, Button, Group, List, Modal, Skeleton, Stack, Table, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { NoteDialog } from '../../ui/note-dialog.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';

type Month = ReplyOf<typeof closedMonths>['data'][number];
type Check = ReplyOf<typeof checkMonth>['data'][number];

const KEY = ['closed-months'] as const;

/** Screen of the months of a seller: what is missing before each is closed, and who closed it. */
export function ClosedMonths() {
  const { t } = useTranslation();
  const [checking, setChecking] = useState<Month | null>(null);
  const [asking, setAsking] = useState<Month | null>(null);
  const { data, error } = useQuery({ queryKey: KEY, queryFn: ({ signal }) => call(closedMonths, { signal }) });
  return (
    <>
      <PageHeader title={t('menu.closed-months')} subtitle={t('closed_month.subtitle')} />
      {error && !data ? (
        <Alert color="red" variant="light">
          {sentenceOf(error)}
        </Alert>
      ) : !data ? (
        <Skeleton h={240} />
      ) : (
        <Section title={t('closed_month.months')}>
          <Months months={data.data} onCheck={setChecking} onAsk={setAsking} />
        </Section>
      )}
      {checking && <Checks month={checking} onClose={() => setChecking(null)} />}
      {asking && <AskReopen month={asking} onClose={() => setAsking(null)} />}
    </>
  );
}

interface MonthsProps {
  months: readonly Month[];
  onCheck: (month: Month) => void;
  onAsk: (month: Month) => void;
}

function Months({ months, onCheck, onAsk }: MonthsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayClose = useMay(closeMonth.permission);
  const mayReopen = useMay(reopenMonth.permission);
  const { busy, save } = useSave();
  const confirm = (month: Month) =>
    save(
      () => call(reopenMonth, { params: { id: month.id! } }),
      t('closed_month.reopened', { month: format.month(month.month) }),
    );
  return (
    <Table.ScrollContainer minWidth={280}>
      <Table verticalSpacing="sm" horizontalSpacing={4}>
        <Table.Tbody>
          {months.map((month) => (
            <Table.Tr key={`${month.month} ${month.id ?? ''}`}>
              <Table.Td>
                <Text fw={600} size="sm">
                  {format.month(month.month)}
                </Text>
                {!month.own && (
                  <Text size="xs" c="dimmed">
                    {month.seller_name}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Badge
                  variant="light"
                  size="sm"
                  miw="max-content"
                  color={month.reopened ? 'orange' : month.closed_at === null ? 'gray' : 'teal'}
                >
                  {t(`closed_month.${month.reopened ? 'open_again' : month.closed_at === null ? 'open' : 'closed'}`)}
                </Badge>
                {month.closed_at !== null && (
                  <Text size="xs" c="dimmed" mt={4}>
                    {[month.closed_by_name, format.date(month.closed_at.slice(0, 10))].filter(Boolean).join(', ')}
                  </Text>
                )}
                {month.reopen_note !== null && (
                  <Text size="xs" mt={4}>
                    {t('closed_month.asked', { name: month.reopen_asked_by_name ?? '', note: month.reopen_note })}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Group gap="xs" justify="flex-end">
                  {month.closed_at === null && mayClose && (
                    <Button size="xs" variant="default" onClick={() => onCheck(month)}>
                      {t('closed_month.check')}
                    </Button>
                  )}
                  {month.reopenable && mayReopen && (
                    <Button size="xs" loading={busy} onClick={() => confirm(month)}>
                      {t('closed_month.confirm')}
                    </Button>
                  )}
                  {month.id !== null && month.reopen_note === null && mayReopen && (
                    <Button size="xs" variant="subtle" onClick={() => onAsk(month)}>
                      {t('closed_month.ask')}
                    </Button>
                  )}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function useSave() {
  const client = useQueryClient();
  const { busy, run } = useAction();
  const save = (change: () => Promise<unknown>, done: string, then?: () => void) =>
    void run(async () => {
      await change();
      await client.invalidateQueries({ queryKey: KEY });
      void toast('success', done);
      then?.();
    });
  return { busy, save };
}

/** Dialog with what is missing before a month can be closed. */
function Checks({ month, onClose }: { month: Month; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { busy, save } = useSave();
  const { data, error } = useQuery({
    queryKey: [...KEY, 'checks', month.month],
    queryFn: ({ signal }) => call(checkMonth, { query: { month: month.month }, signal }),
  });
  const ready = data?.data.every(({ blocks, missing }) => !blocks || missing === 0) ?? false;
  const close = () =>
    save(
      () => call(closeMonth, { body: { month: month.month } }),
      t('closed_month.done', { month: format.month(month.month) }),
      onClose,
    );
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={650}>{t('closed_month.close_title', { month: format.month(month.month) })}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('closed_month.about')}
        </Text>
        {error ? (
          <Alert color="red">{sentenceOf(error)}</Alert>
        ) : !data ? (
          <Skeleton h={160} />
        ) : (
          <Lines checks={data.data} />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button disabled={!ready} loading={busy} onClick={close}>
            {t('closed_month.close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Lines({ checks }: { checks: readonly Check[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <List spacing="sm" size="sm" center>
      {checks.map(({ name, missing, blocks }) => {
        const Icon = missing === 0 ? IconCheck : blocks ? IconX : IconInfoCircle;
        return (
          <List.Item
            key={name}
            icon={
              <ThemeIcon
                size={22}
                radius="xl"
                variant="light"
                color={missing === 0 ? 'teal' : blocks ? 'red' : 'orange'}
              >
                <Icon size={14} aria-hidden />
              </ThemeIcon>
            }
          >
            {missing === 0
              ? t(`closed_month.fine.${name}`)
              : t(`closed_month.missing.${name}`, { count: missing, replace: { count: format.integer(missing) } })}
          </List.Item>
        );
      })}
    </List>
  );
}

function AskReopen({ month, onClose }: { month: Month; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { busy, save } = useSave();
  return (
    <NoteDialog
      title={t('closed_month.ask_title', { month: format.month(month.month) })}
      label={t('account_transfer.reason')}
      hint={t('credit_control.reason_hint')}
      longest={200}
      required
      action={t('closed_month.ask')}
      busy={busy}
      onAct={(note) =>
        save(
          () => call(askToReopenMonth, { params: { id: month.id! }, body: { note: note ?? '' } }),
          t('closed_month.ask_done'),
          onClose,
        )
      }
      onClose={onClose}
    >
      <Text size="sm">{t('closed_month.ask_text')}</Text>
    </NoteDialog>
  );
}
