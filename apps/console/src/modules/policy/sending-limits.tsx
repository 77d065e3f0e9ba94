import { user } from '@heliograph/contract/access/user';
import { apiKey } from '@heliograph/contract/api/api-key';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { sendingLimit } from '@heliograph/contract/policy/sending-limit';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { Progress, SimpleGrid, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useFormat } from '../../platform/format.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(sendingLimit.create);
type Row = z.output<typeof sendingLimit.row>;

/** Share of a limit from which its bar warns. */
const NEARLY = 0.8;

/** Returns the used share of a limit; it can be above 1. */
const shareOf = ({ used, messages, spend }: Row): number =>
  (used ?? 0) / Math.max(1, messages ?? toThousandths(spend ?? '0'));

/** Form of a limit. Its kind decides which amounts and which records it asks for. */
function LimitFields() {
  const { values } = useFormState();
  const { kind } = values;
  return (
    <>
      <Field.Reference name="corporation_id" to={corporation} />
      <Field.Text name="name" autoFocus />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Field.Select name="kind" words="limit_kind" />
        {kind !== 'message' && <Field.Select name="period" words="limit_period" />}
      </SimpleGrid>
      {kind === 'user' && <Field.Reference name="user_id" to={user} within="corporation_id" />}
      {kind === 'api_key' && <Field.Reference name="api_key_id" to={apiKey} within="corporation_id" />}
      {kind === 'sender_id' && <Field.Reference name="sender_id_id" to={senderId} within="corporation_id" />}
      <Field.Select name="class" words="message_class" />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {kind !== 'message' && <Field.Number name="messages" />}
        {kind !== 'recipient' && <Field.Money name="spend" />}
      </SimpleGrid>
      <Field.Switch name="enabled" />
    </>
  );
}

/** Screen of the limits of messages and money. */
export function SendingLimits() {
  const { t } = useTranslation();
  const format = useFormat();
  const amount = ({ messages, spend, currency }: Row) =>
    messages === null ? format.money(spend ?? '0', currency) : format.integer(messages);
  const used = (row: Row) => {
    if (row.used === null) return '';
    const so_far = row.messages === null ? { spend: fromThousandths(row.used) } : { messages: row.used };
    return t('limit_used', { used: amount({ ...row, ...so_far }), limit: amount(row) });
  };
  const subject = (row: Row) => row.user_name ?? row.api_key_name ?? row.sender_id_name;
  return (
    <ResourceList
      resource={sendingLimit}
      columns={[
        'name',
        {
          field: 'kind',
          cell: (row) => [t(`limit_kind.${row.kind}`), subject(row)].filter(Boolean).join(': '),
          csv: (row) => [t(`limit_kind.${row.kind}`), subject(row)].filter(Boolean).join(': '),
        },
        {
          field: 'used',
          cell: (row) =>
            row.used !== null && (
              <Stack gap={4} miw={120}>
                {used(row)}
                <Progress
                  value={shareOf(row) * 100}
                  size="sm"
                  color={shareOf(row) >= 1 ? 'red.6' : shareOf(row) >= NEARLY ? 'orange.6' : 'brand'}
                  aria-label={row.name}
                />
              </Stack>
            ),
          csv: used,
        },
        { field: 'class', cell: (row) => row.class && t(`message_class.${row.class}`) },
        { field: 'period', cell: (row) => (row.kind === 'message' ? '' : t(`limit_period.${row.period}`)) },
        { field: 'messages' },
        { field: 'spend' },
        'corporation_name',
        'enabled',
        { field: 'created_at', hidden: true },
      ]}
      filters={[{ field: 'corporation_id', to: corporation }, { field: 'kind', words: 'limit_kind' }, 'enabled']}
      form={<LimitFields />}
    />
  );
}
