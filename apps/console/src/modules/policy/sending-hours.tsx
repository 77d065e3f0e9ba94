import { PHILIPPINE_HOURS, sendingHours } from '@heliograph/contract/policy/sending-hours';
import { Button, SimpleGrid } from '@mantine/core';
import { IconClockPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { queryClient } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(sendingHours.create);

/** Button that adds the hours of the Philippine rules. */
function AddPhilippineHours() {
  const { t } = useTranslation();
  const { busy, run } = useAction();
  const add = async () => {
    await run(async () => {
      const body = { ...PHILIPPINE_HOURS, name: t('hours_preset_name') };
      const { message } = await call(sendingHours.createOne, { body });
      void toast('success', message ?? body.name);
    });
    await queryClient.invalidateQueries({ queryKey: [sendingHours.name] });
  };
  return (
    <Button variant="default" loading={busy} leftSection={<IconClockPlus size={16} />} onClick={() => void add()}>
      {t('hours_preset')}
    </Button>
  );
}

/** Screen of the hours in which people may get messages, by their country. */
export function SendingHours() {
  const { t } = useTranslation();
  const mayAdd = useMay(sendingHours.permissions.create);
  return (
    <ResourceList
      resource={sendingHours}
      header={{ actions: mayAdd && <AddPhilippineHours /> }}
      columns={[
        'name',
        {
          field: 'calling_code',
          cell: (row) => (row.calling_code === null ? t('hours_everywhere') : `+${row.calling_code}`),
        },
        'start_time',
        'end_time',
        {
          field: 'covers',
          cell: (row) => t(`hours_covers.${row.covers}`),
          csv: (row) => t(`hours_covers.${row.covers}`),
        },
        {
          field: 'outside',
          cell: (row) => t(`hours_outside.${row.outside}`),
          csv: (row) => t(`hours_outside.${row.outside}`),
        },
        'enabled',
        { field: 'created_at', hidden: true },
      ]}
      filters={['enabled']}
      form={
        <>
          <Field.Text name="name" autoFocus />
          <Field.Text name="calling_code" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Text name="start_time" type="time" />
            <Field.Text name="end_time" type="time" />
          </SimpleGrid>
          <Field.Select name="covers" words="hours_covers" />
          <Field.Select name="outside" words="hours_outside" />
          <Field.Switch name="enabled" />
        </>
      }
    />
  );
}
