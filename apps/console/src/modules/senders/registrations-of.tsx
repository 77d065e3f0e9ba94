import { senderRegistration } from '@heliograph/contract/senders/sender-registration';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import { RegistrationState } from './registration-answer.tsx';

const SHOWN = 20;

/** Registrations of a sender ID with the carriers of links. Only the platform's people see them. */
export function RegistrationsOf({ senderId }: { senderId: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const query = { sender_id_id: senderId, per_page: SHOWN, page: 1 };
  const found = useQuery({
    queryKey: [senderRegistration.name, 'of', senderId],
    queryFn: ({ signal }) => call(senderRegistration.list, { query, signal }),
  });
  const rows = found.data?.data ?? [];
  return (
    <Section
      title={t('sender.registration.title')}
      actions={
        <Anchor component={Link} to="/sender-registrations" search={{ sender_id_id: String(senderId) }} size="sm">
          {t('sender.registration.all')}
        </Anchor>
      }
    >
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {found.isPending ? '…' : t('sender.registration.none')}
        </Text>
      )}
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {rows.map((row) => (
          <Group component="li" key={row.id} gap="xs">
            <Anchor component={Link} to={`/links/${row.link_id}`} size="sm" fw={500}>
              {row.link_name}
            </Anchor>
            <RegistrationState state={row.state} />
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {[
                row.networks,
                row.reference,
                row.expires_on && t('sender.since', { day: format.date(row.expires_on) }),
                row.reason,
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
