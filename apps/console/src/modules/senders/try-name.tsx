import { tryName } from '@heliograph/contract/senders/protected-name';
import { Alert, Button, TextInput } from '@mantine/core';
import { IconTestPipe } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { AskDrawer } from '../../ui/ask-drawer.tsx';

/** Button whose drawer asks for a sender ID. It shows the protected name that it is like. */
export function TryName() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const [sender, setSender] = useState('');
  const search = useMutation({ mutationFn: () => call(tryName, { query: { sender } }) });
  const faults = problemFrom(search.error)?.errors;
  const found = search.data?.data;

  return (
    <>
      <Button variant="default" leftSection={<IconTestPipe size={16} stroke={1.6} />} onClick={() => setOpened(true)}>
        {t('protected_name.try')}
      </Button>
      {opened && (
        <AskDrawer
          title={t('protected_name.try')}
          hint={t('protected_name.try_hint')}
          submit={t('protected_name.try_submit')}
          busy={search.isPending}
          ready={sender.trim() !== ''}
          fault={search.error && !faults ? sentenceOf(search.error) : undefined}
          onAsk={() => search.mutate()}
          onClose={() => setOpened(false)}
          answer={
            found !== undefined && (
              <Alert color={found ? (found.action === 'refuse' ? 'red' : 'orange') : 'teal'} variant="light">
                {found ? t(`protected_name.try_${found.action}`, { name: found.name }) : t('protected_name.try_free')}
              </Alert>
            )
          }
        >
          <TextInput
            label={t('resources.sender-ids.fields.sender_id')}
            required
            data-autofocus
            maxLength={40}
            error={faults?.['sender']?.[0]}
            value={sender}
            onChange={(event) => setSender(event.currentTarget.value)}
          />
        </AskDrawer>
      )}
    </>
  );
}
