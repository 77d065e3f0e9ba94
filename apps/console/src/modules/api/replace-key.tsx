import { replaceServiceAccountKey, serviceAccountKey } from '@heliograph/contract/api/service-account';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { toast } from '../../platform/toast.ts';
import { DateInput } from '../../resource/date-input.tsx';
import type { MadeKey } from './key-parts.tsx';
import type { KeyOfAccount } from './service-account-keys.tsx';

/** Days for which the replaced key keeps working, unless the person chooses another day. */
const OVERLAP_DAYS = 7;

/** Dialog that makes the next key of a program, and gives the present one a last day. */
export function ReplaceKey(props: { row: KeyOfAccount; onClose: () => void; onMade: (made: MadeKey) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const { busy, run } = useAction();
  const { id, name } = props.row;
  const today = dayjs().format('YYYY-MM-DD');
  const [next, setNext] = useState('');
  const [last, setLast] = useState<string | null>(null);
  const [oldLast, setOldLast] = useState<string | null>(dayjs().add(OVERLAP_DAYS, 'day').format('YYYY-MM-DD'));

  const replace = (old_last_day: string) =>
    run(async () => {
      const body = { name: next.trim(), last_day: last, old_last_day };
      const { data } = await call(replaceServiceAccountKey, { params: { id }, body });
      await client.invalidateQueries({ queryKey: [serviceAccountKey.name] });
      void toast('success', t('service_accounts.replaced', { day: format.date(data.old_last_day) }));
      props.onMade({ ...data, doors: props.row.doors });
      props.onClose();
    });

  return (
    <Modal
      opened
      onClose={props.onClose}
      title={
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {t('service_accounts.replace_title', { name })}
        </Text>
      }
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="md">
        <Text size="sm">{t('service_accounts.replace_explained')}</Text>
        <TextInput
          label={t('service_accounts.new_name')}
          required
          maxLength={100}
          data-autofocus
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
        />
        <DateInput
          label={t('service_accounts.new_last_day')}
          description={t('resources.service-account-keys.hints.last_day')}
          minDate={today}
          value={last}
          onChange={setLast}
        />
        <DateInput
          label={t('service_accounts.old_last_day')}
          required
          minDate={today}
          value={oldLast}
          onChange={setOldLast}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            {t('actions.cancel')}
          </Button>
          <Button
            loading={busy}
            disabled={next.trim() === '' || oldLast === null}
            onClick={() => oldLast !== null && void replace(oldLast)}
          >
            {t('service_accounts.replace')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
