import { approveReturn, rejectReturn, reverseReturn } from '@heliograph/contract/top-ups/top-up-return';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { toast } from '../../platform/toast.ts';
import { Cell } from '../../resource/columns.tsx';
import { NoteDialog } from '../../ui/note-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import type { TopUp } from './top-up.tsx';

type Return = TopUp['returns'][number];
type Act = 'reject' | 'reverse';

const COLORS: Readonly<Partial<Record<Return['state'], string>>> = {
  requested: 'yellow',
  open: 'orange',
  done: 'teal',
  lost: 'red',
  failed: 'red',
};

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
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('top_up.returns')}>
        {topUp.returns.map((each) => (
          <Group key={each.id} component="li" justify="space-between" align="flex-start" gap="md" wrap="nowrap">
            <Stack gap={6} align="flex-start" miw={0}>
              <Group gap="xs">
                <Text size="sm" fw={600}>
                  {t(`top_up_return.${each.kind}`)}
                </Text>
                <Badge variant="light" size="sm" color={COLORS[each.state] ?? 'gray'}>
                  {t(`top_up_return.${each.state}`)}
                </Badge>
              </Group>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {each.reason}
              </Text>
              <Text size="xs" c="dimmed">
                {each.user_name && `${each.user_name} · `}
                <Cell show="instant" value={each.created_at} />
                {each.decided_by_name !== null &&
                  (each.state === 'done' || each.state === 'lost') &&
                  ` · ${t('top_up.return_approved', { name: each.decided_by_name })}`}
              </Text>
              {each.decision_note !== null && (
                <Text size="xs" c="dimmed">
                  {each.decision_note}
                </Text>
              )}
              {(each.may.approve || each.may.reject || each.may.reverse) && (
                <Group gap={6}>
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
              )}
            </Stack>
            <Text size="sm" fw={600} style={{ whiteSpace: 'nowrap' }}>
              {format.money(each.amount, topUp.currency)}
            </Text>
          </Group>
        ))}
      </Stack>
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
