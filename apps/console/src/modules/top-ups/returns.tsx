import { approveReturn, rejectReturn, reverseReturn } from '@heliograph/contract/top-ups/top-up-return';
import { Button, Group, Table, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { toast } from '../../platform/toast.ts';
import { Cell, labelOf } from '../../resource/columns.tsx';
import { NoteDialog } from '../../ui/note-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import type { TopUp } from './top-up.tsx';

type Return = TopUp['returns'][number];
type Act = 'reject' | 'reverse';

/** Refunds and chargebacks of a top-up, with the decisions about those that people record. */
export function Returns({ topUp }: { topUp: TopUp }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const { busy, run } = useAction();
  const [acting, setActing] = useState<{ act: Act; on: Return } | null>(null);
  const save = (change: () => Promise<unknown>) =>
    void run(async () => {
      await change();
      for (const old of ['top-ups', 'billing-accounts', 'credit-changes'])
        await client.invalidateQueries({ queryKey: [old] });
      void toast('success', t('top_up.return_saved'));
      setActing(null);
    });
  return (
    <Section title={t('top_up.returns')}>
      <Table.ScrollContainer minWidth={440}>
        <Table aria-label={t('top_up.returns')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{labelOf('top-ups', 'created_at')}</Table.Th>
              <Table.Th>{t('top_up.kind')}</Table.Th>
              <Table.Th>{labelOf('top-ups', 'state')}</Table.Th>
              <Table.Th ta="right">{labelOf('top-ups', 'amount')}</Table.Th>
              <Table.Th>{t('top_up.reason')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {topUp.returns.map((each) => (
              <Table.Tr key={each.id}>
                <Table.Td>
                  <Cell show="instant" value={each.created_at} />
                </Table.Td>
                <Table.Td>{t(`top_up_return.${each.kind}`)}</Table.Td>
                <Table.Td>{t(`top_up_return.${each.state}`)}</Table.Td>
                <Table.Td ta="right">{format.money(each.amount, topUp.currency)}</Table.Td>
                <Table.Td>
                  {[each.reason, each.user_name].filter(Boolean).join(' · ')}
                  {each.decided_by_name !== null && (each.state === 'done' || each.state === 'lost') && (
                    <Text size="xs" c="dimmed">
                      {t('top_up.return_approved', { name: each.decided_by_name })}
                    </Text>
                  )}
                  {each.decision_note !== null && (
                    <Text size="xs" c="dimmed">
                      {each.decision_note}
                    </Text>
                  )}
                  <Group gap={6} mt={each.may.reject || each.may.reverse ? 6 : 0}>
                    {each.may.approve && (
                      <Button
                        size="xs"
                        loading={busy}
                        onClick={() => save(() => call(approveReturn, { params: { id: each.id } }))}
                      >
                        {t('top_up.return_approve')}
                      </Button>
                    )}
                    {(['reject', 'reverse'] as const)
                      .filter((act) => each.may[act])
                      .map((act) => (
                        <Button key={act} size="xs" variant="default" onClick={() => setActing({ act, on: each })}>
                          {t(`top_up.return_${act}`)}
                        </Button>
                      ))}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {acting && (
        <NoteDialog
          title={t(`top_up.return_${acting.act}`)}
          label={t('top_up.reason')}
          hint={t('top_up.return_why')}
          longest={200}
          required
          action={t(`top_up.return_${acting.act}`)}
          busy={busy}
          onClose={() => setActing(null)}
          onAct={(note) => {
            const given = { params: { id: acting.on.id }, body: { reason: note ?? '' } };
            save(() => call(acting.act === 'reject' ? rejectReturn : reverseReturn, given));
          }}
        >
          <Text size="sm">
            {t(`top_up.return_${acting.act}_text`, { amount: format.money(acting.on.amount, topUp.currency) })}
          </Text>
        </NoteDialog>
      )}
    </Section>
  );
}
