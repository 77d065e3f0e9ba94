import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { sendTestMail } from '@heliograph/contract/organizations/team';
import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { IconMailForward } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useSession } from '../../platform/session.ts';
import type { TeamRow } from './teams.tsx';

type Tried = ReplyOf<typeof sendTestMail>['data'];

/** Form that sends an email through the saved server, and shows the reason if sending fails. */
export function TestMail({ row }: { row: TeamRow }) {
  const { t } = useTranslation();
  const own = useSession((s) => s.profile?.email ?? '');
  const [to, setTo] = useState(own);
  const { busy, fault, run } = useAction('form');
  const [tried, setTried] = useState<(Tried & { to: string }) | null>(null);

  function send(event: FormEvent) {
    event.preventDefault();
    setTried(null);
    void run(async () => {
      const { data } = await call(sendTestMail, { params: { id: row.id }, body: { to } });
      setTried({ ...data, to });
    });
  }

  return (
    <form noValidate onSubmit={send}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t('teams.test_mail_to')}
          description={t('teams.test_mail_hint')}
          type="email"
          error={fault}
          flex="1 1 220px"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          loading={busy}
          leftSection={<IconMailForward size={16} stroke={1.6} aria-hidden />}
        >
          {t('teams.test_mail')}
        </Button>
      </Group>
      {tried?.sent && (
        <Alert color="teal" variant="light" role="status" mt="sm">
          {t('teams.test_mail_sent', { to: tried.to })}
        </Alert>
      )}
      {tried && !tried.sent && (
        <Alert color="red" variant="light" role="alert" mt="sm" title={t('teams.test_mail_failed')}>
          {t(keyIn('mail_fault', tried.fault))}
          {tried.detail && (
            <Text size="xs" mt={4} style={{ overflowWrap: 'anywhere' }}>
              {t('teams.test_mail_said', { detail: tried.detail })}
            </Text>
          )}
        </Alert>
      )}
    </form>
  );
}
