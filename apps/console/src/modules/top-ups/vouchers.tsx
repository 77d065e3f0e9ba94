import { makeVouchers, voidVouchers, vouchers } from '@heliograph/contract/top-ups/voucher';
import { Badge, Button, Modal, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, request } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { readAgain } from '../../platform/queries.ts';
import { saveFile } from '../../platform/save-file.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import type { RowOf } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { RecordForm } from '../../resource/form.tsx';
import { openDialog } from '../../ui/dialogs.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

type Batch = RowOf<typeof vouchers>;

const Field = fieldsOf(makeVouchers.body);
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

/** Screen of the batches of vouchers, newest first. */
export function Vouchers() {
  const { t } = useTranslation();
  const format = useFormat();
  const [making, setMaking] = useState(false);
  const add = useMay(makeVouchers.permission) && (
    <Button leftSection={<IconPlus {...ICON} />} onClick={() => setMaking(true)}>
      {t('voucher.action')}
    </Button>
  );
  const makeVoid = ({ id, name }: Batch) =>
    openDialog({
      title: t('voucher.void_title', { name }),
      text: t('voucher.void_text'),
      confirm: t('voucher.void'),
      danger: true,
      onConfirm: async () => {
        try {
          await call(voidVouchers, { params: { id } });
        } catch (error) {
          void toast('error', sentenceOf(error));
        }
        await readAgain(['vouchers']);
      },
    });
  return (
    <CursorList<typeof vouchers, Batch>
      name="vouchers"
      operation={vouchers}
      title="name"
      header={{ subtitle: t('resources.vouchers.empty'), actions: add }}
      columns={[
        'created_at',
        'name',
        { field: 'corporation_name', hidden: true },
        { field: 'amount', figure: true, cell: (row) => format.money(row.amount, row.currency) },
        { field: 'count', figure: true, cell: (row) => format.integer(row.count) },
        { field: 'redeemed', figure: true, cell: (row) => format.integer(row.redeemed) },
        'expires_on',
        {
          field: 'voided_at',
          cell: (row) => (
            <Badge variant="light" size="sm" color={row.voided_at ? 'gray' : 'teal'}>
              {t(row.voided_at ? 'voucher.is_void' : 'voucher.is_valid')}
            </Badge>
          ),
        },
        'user_name',
      ]}
      rowActions={(row) =>
        row.voidable
          ? [{ label: t('voucher.void'), icon: <IconTrash {...ICON} />, danger: true, onClick: () => makeVoid(row) }]
          : []
      }
      empty={<EmptyState of="vouchers" learn title={t('voucher.none')} action={add} />}
    >
      {making && <MakeVouchers onClose={() => setMaking(false)} />}
    </CursorList>
  );
}

/** Dialog that makes a batch, and saves the file with its codes. */
function MakeVouchers({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={650}>{t('voucher.action')}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <RecordForm
        name="vouchers"
        schema={makeVouchers.body}
        initial={{ name: '', amount: '', currency: 'PHP', count: 10, expires_on: null }}
        submitLabel={t('voucher.make')}
        onCancel={onClose}
        submit={async (values) => {
          const { data } = (await request(makeVouchers, { body: values })) as {
            data: { name: string; codes: string[] };
          };
          const lines = [
            'code,amount,currency',
            ...data.codes.map((code) => [code, values.amount, values.currency].join()),
          ];
          saveFile(`${data.name}.csv`, `${lines.join('\r\n')}\r\n`);
          await readAgain(['vouchers']);
          void toast('success', t('voucher.saved'));
          onClose();
        }}
      >
        <Text size="sm" c="dimmed">
          {t('voucher.about')}
        </Text>
        <Field.Text name="name" autoFocus />
        <Field.Money name="amount" />
        <Field.Text name="currency" />
        <Field.Number name="count" />
        <Field.Date name="expires_on" />
      </RecordForm>
    </Modal>
  );
}
