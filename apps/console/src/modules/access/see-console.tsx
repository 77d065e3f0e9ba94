import { SUPPORT_MINUTES } from '@heliograph/contract/identity/support';
import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { seeConsoleOf } from '../../platform/support.ts';
import type { UserRow } from './users.tsx';

/** Dialog that asks for the reason, and then shows the console as a customer sees it. */
export function SeeConsole(props: { row: UserRow; onClose: () => void }) {
  const { t } = useTranslation();
  const { row, onClose } = props;
  const [reason, setReason] = useState('');
  const { busy, failure, errors, run } = useAction('form');
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
            <Button type="submit" loading={busy} disabled={reason.trim().length < 5}>
              {t('support.begin')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
