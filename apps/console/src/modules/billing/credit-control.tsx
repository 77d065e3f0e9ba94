import { overdueAccounts, setCreditPolicy, showCreditPolicy } from '@heliograph/contract/billing/credit-control';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Alert, Badge, Button, SimpleGrid, Text } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, request } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import type { RowOf } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { RecordForm } from '../../resource/form.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormDrawer } from '../../ui/form-frame.tsx';
import { HOLD_COLORS } from './account-credit.tsx';

type Row = RowOf<typeof overdueAccounts>;

const Field = fieldsOf(setCreditPolicy.body);

/** Screen of the accounts that are overdue or on hold, with the steps that the seller takes against them. */
export function CreditControl() {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const [opened, setOpened] = useState(false);
  const mayEdit = useMay(setCreditPolicy.permission);
  const { data } = useQuery({
    queryKey: ['credit-control', 'policy'],
    queryFn: ({ signal }) => call(showCreditPolicy, { signal }),
  });
  const edit = mayEdit && data && (
    <Button leftSection={<IconAdjustments size={16} stroke={1.6} aria-hidden />} onClick={() => setOpened(true)}>
      {t('credit_control.policy.action')}
    </Button>
  );
  const step = (row: Row) =>
    row.next_step !== null && row.next_on !== null
      ? t('credit_control.step_on', {
          step: t(`credit_control.step.${row.next_step}`),
          date: format.date(row.next_on),
        })
      : '';
  return (
    <CursorList<typeof overdueAccounts, Row>
      name="credit-control"
      operation={overdueAccounts}
      title="name"
      header={{ subtitle: t('credit_control.subtitle'), actions: edit }}
      columns={[
        'name',
        'corporation_name',
        'overdue',
        'due_on',
        {
          field: 'hold',
          cell: (row) => (
            <Badge variant="light" size="sm" color={HOLD_COLORS[row.hold]}>
              {t(`credit_control.hold_name.${row.hold}`)}
            </Badge>
          ),
        },
        {
          field: 'last_step',
          cell: (row) => (row.last_step === null ? '' : t(`credit_control.step.${row.last_step}`)),
        },
        { field: 'next_step', cell: step },
        'grace_until',
      ]}
      onRowClick={(row) => void navigate({ to: `/billing-accounts/${row.id}` })}
      empty={<EmptyState of="credit-control" learn title={t('credit_control.none')} action={edit} />}
    >
      {data && !data.data.enabled && (
        <Alert color="gray" variant="light" mb="md">
          {t('credit_control.policy.off')}
        </Alert>
      )}
      {data && opened && <PolicyForm policy={data.data} onClose={() => setOpened(false)} />}
    </CursorList>
  );
}

type Policy = ReplyOf<typeof showCreditPolicy>['data'];

/** Drawer with the days on which each step is taken. */
function PolicyForm({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return (
    <FormDrawer title={t('credit_control.policy.action')} onClose={onClose}>
      <RecordForm
        name="credit-control"
        schema={setCreditPolicy.body}
        initial={policy}
        submitLabel={t('actions.save')}
        onCancel={onClose}
        submit={async (values) => {
          await request(setCreditPolicy, { body: values });
          await client.invalidateQueries({ queryKey: ['credit-control'] });
          void toast('success', t('credit_control.policy.saved'));
          onClose();
        }}
      >
        <Text size="sm" c="dimmed">
          {t('credit_control.policy.about')}
        </Text>
        <Field.Switch name="enabled" />
        <Field.Number name="payment_days" />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field.Number name="remind_after" />
          <Field.Number name="warn_after" />
          <Field.Number name="hold_after" />
          <Field.Number name="suspend_after" />
        </SimpleGrid>
      </RecordForm>
    </FormDrawer>
  );
}
