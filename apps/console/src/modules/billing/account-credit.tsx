import { accountCredit, giveGrace, HOLDS, holdAccount } from '@heliograph/contract/billing/credit-control';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Alert, Anchor, Badge, Group, Select, SimpleGrid, Skeleton, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { toast } from '../../platform/toast.ts';
import { DateInput } from '../../resource/date-input.tsx';
import { Fact } from '../../ui/fact.tsx';
import { NoteDialog } from '../../ui/note-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import type { Account } from './account-state.tsx';

type Standing = ReplyOf<typeof accountCredit>['data'];

export const HOLD_COLORS = { none: 'teal', bulk: 'orange', all: 'red' } as const;

/** Section with the overdue amount of an account, its hold, and the steps that were taken and that follow. */
export function AccountCredit({ account, mayChange }: { account: Account; mayChange: boolean }) {
  const { t } = useTranslation();
  const [task, setTask] = useState<'hold' | 'grace' | null>(null);
  const { data, error } = useQuery({
    queryKey: ['billing-accounts', 'credit', account.id, account.credit_balance],
    queryFn: ({ signal }) => call(accountCredit, { params: { id: account.id }, signal }),
    placeholderData: (previous) => previous,
  });
  return (
    <Section
      title={t('menu.credit-control')}
      actions={
        mayChange && (
          <Group gap="sm">
            <Anchor component="button" size="sm" onClick={() => setTask('grace')}>
              {t('credit_control.grace.action')}
            </Anchor>
            <Anchor component="button" size="sm" onClick={() => setTask('hold')}>
              {t('credit_control.hold.action')}
            </Anchor>
          </Group>
        )
      }
    >
      {data ? (
        <Shown standing={data.data} />
      ) : error ? (
        <Alert color="red" variant="light">
          {sentenceOf(error)}
        </Alert>
      ) : (
        <Skeleton h={80} />
      )}
      {data && task === 'hold' && <ChangeHold account={account} standing={data.data} onClose={() => setTask(null)} />}
      {data && task === 'grace' && <GiveGrace account={account} standing={data.data} onClose={() => setTask(null)} />}
    </Section>
  );
}

function Shown({ standing }: { standing: Standing }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { overdue, currency, due_on, hold, grace_until, next_step, next_on, steps } = standing;
  return (
    <>
      <Text size="sm">
        {due_on === null
          ? t('credit_control.nothing_overdue')
          : t('credit_control.overdue_since', { amount: format.money(overdue, currency), date: format.date(due_on) })}
      </Text>
      {hold !== 'none' && <Alert color={HOLD_COLORS[hold]}>{t(`credit_control.hold_text.${hold}`)}</Alert>}
      <SimpleGrid component="dl" cols={{ base: 2, xs: 3 }} spacing="sm" m={0}>
        <Fact label={t('resources.credit-control.fields.hold')}>{t(`credit_control.hold_name.${hold}`)}</Fact>
        {grace_until !== null && (
          <Fact label={t('resources.credit-control.fields.grace_until')}>{format.date(grace_until)}</Fact>
        )}
        {next_step !== null && next_on !== null && (
          <Fact label={t('resources.credit-control.fields.next_step')}>
            {t('credit_control.step_on', { step: t(`credit_control.step.${next_step}`), date: format.date(next_on) })}
          </Fact>
        )}
      </SimpleGrid>
      {steps.length > 0 && (
        <Table horizontalSpacing={4}>
          <Table.Tbody>
            {steps.map(({ step, on, taken_at }) => (
              <Table.Tr key={step}>
                <Table.Td>{t(`credit_control.step.${step}`)}</Table.Td>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{format.date(on)}</Table.Td>
                <Table.Td ta="right">
                  <Badge variant="light" size="sm" miw="max-content" color={taken_at === null ? 'gray' : 'orange'}>
                    {t(taken_at === null ? 'credit_control.planned' : 'credit_control.taken')}
                  </Badge>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  );
}

interface DialogProps {
  account: Account;
  standing: Standing;
  onClose: () => void;
}

function useChange(account: Account, onClose: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { busy, run } = useAction();
  const save = (change: () => Promise<unknown>) =>
    void run(async () => {
      await change();
      for (const old of ['billing-accounts', 'credit-control']) await client.invalidateQueries({ queryKey: [old] });
      void toast('success', t('credit_control.changed', { name: account.name }));
      onClose();
    });
  return { busy, save };
}

function ChangeHold({ account, standing, onClose }: DialogProps) {
  const { t } = useTranslation();
  const [hold, setHold] = useState(standing.hold);
  const { busy, save } = useChange(account, onClose);
  return (
    <NoteDialog
      title={t('credit_control.hold.title', { name: account.name })}
      label={t('account_transfer.reason')}
      hint={t('credit_control.reason_hint')}
      longest={200}
      required
      action={t('credit_control.hold.action')}
      danger={hold === 'all'}
      busy={busy}
      onAct={(note) => save(() => call(holdAccount, { params: { id: account.id }, body: { hold, note: note ?? '' } }))}
      onClose={onClose}
    >
      <Select
        label={t('resources.credit-control.fields.hold')}
        description={t(`credit_control.hold_text.${hold}`)}
        data={HOLDS.map((value) => ({ value, label: t(`credit_control.hold_name.${value}`) }))}
        value={hold}
        allowDeselect={false}
        onChange={(value) => setHold(value as typeof hold)}
      />
    </NoteDialog>
  );
}

function GiveGrace({ account, standing, onClose }: DialogProps) {
  const { t } = useTranslation();
  const [until, setUntil] = useState<string | null>(standing.grace_until);
  const { busy, save } = useChange(account, onClose);
  return (
    <NoteDialog
      title={t('credit_control.grace.title', { name: account.name })}
      label={t('account_transfer.reason')}
      hint={t('credit_control.reason_hint')}
      longest={200}
      required
      action={t('credit_control.grace.action')}
      busy={busy}
      onAct={(note) => save(() => call(giveGrace, { params: { id: account.id }, body: { until, note: note ?? '' } }))}
      onClose={onClose}
    >
      <DateInput
        label={t('resources.credit-control.fields.grace_until')}
        description={t('credit_control.grace.hint')}
        value={until}
        onChange={setUntil}
      />
    </NoteDialog>
  );
}
