import { askSupportConsent, SUPPORT_MINUTES, supportConsent } from '@heliograph/contract/identity/support';
import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { seeConsoleOf } from '../../platform/support.ts';
import { toast } from '../../platform/toast.ts';
import type { UserRow } from './users.tsx';

/** Dialog that asks for the reason, and then shows the console as a customer sees it. */
export function SeeConsole(props: { row: UserRow; onClose: () => void }) {
  const { t } = useTranslation();
  const { row, onClose } = props;
  const [reason, setReason] = useState('');
  const { busy, failure, errors, run } = useAction('form');
  const client = useQueryClient();
  const params = { id: row.id };
  const { data } = useQuery({
    queryKey: ['users', row.id, 'support'],
    queryFn: ({ signal }) => call(supportConsent, { params, signal }),
  });
  const asks = data?.until === null && data.may_begin;
  const ask = () =>
    void run(async () => {
      const { message } = await call(askSupportConsent, { params, body: { reason } });
      void toast('success', message ?? '');
      await client.invalidateQueries({ queryKey: ['users', row.id, 'support'] });
      onClose();
    });
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>{t('support.see_title', { name: row.name })}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(() => seeConsoleOf(row.id, reason));
        }}
      >
        <Stack>
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <Text size="sm">{t('support.see_text', { name: row.name, minutes: SUPPORT_MINUTES })}</Text>
          <Textarea
            label={t('support.reason')}
            description={t('support.reason_hint')}
            required
            withAsterisk={false}
            autosize
            minRows={2}
            maxLength={300}
            error={errors['reason']?.[0]}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('actions.cancel')}
            </Button>
            {asks && (
              <Button variant="default" loading={busy} disabled={reason.trim().length < 5} onClick={ask}>
                {t('support.ask')}
              </Button>
            )}
            <Button type="submit" loading={busy} disabled={reason.trim().length < 5}>
              {t('support.begin')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
