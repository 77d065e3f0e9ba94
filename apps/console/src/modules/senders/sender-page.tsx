import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { getSenderHistory, isNumeric, senderId } from '@heliograph/contract/senders/sender-id';
import { senderRegistration } from '@heliograph/contract/senders/sender-registration';
import { Alert, Button, Group, SimpleGrid, Stack, Text, Timeline } from '@mantine/core';
import { IconAlertTriangle, IconEdit } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { Cell } from '../../resource/columns.tsx';
import { ResourceForm } from '../../resource/form.tsx';
import { OneRecord } from '../../resource/one-record.tsx';
import { Fact } from '../../ui/fact.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { SENDER_COLORS } from '../../ui/state-colors.ts';
import { NumberHistory } from './number-history.tsx';
import { RegistrationsOf } from './registrations-of.tsx';
import {
  canSubmit,
  SenderDecision,
  SUBMIT_ICON,
  submit,
  VERDICT_ICONS,
  type Verdict,
  verdictsOf,
} from './sender-decision.tsx';
import { SenderDocuments } from './sender-documents.tsx';
import { SenderForm } from './sender-form.tsx';
import { type Sender, SenderState, whyNot } from './sender-state.tsx';

/** Page of one sender ID: whether it may be used and why, its details, and its history. */
export function SenderPage() {
  const { t } = useTranslation();
  return (
    <OneRecord name="sender-ids" operation={senderId.get} notFound={t('sender.not_found')}>
      {(row) => <Loaded sender={row} />}
    </OneRecord>
  );
}

function Loaded({ sender }: { sender: Sender }) {
  const { t } = useTranslation();
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [editing, setEditing] = useState(false);
  const mayEdit = useMay(senderId.permissions.edit) && sender.abilities.edit;
  const mayRegister = useMay(senderRegistration.permissions.index);
  const why = whyNot(sender);
  return (
    <>
      <PageHeader
        title={
          <Group component="span" gap={12}>
            <span style={{ overflowWrap: 'anywhere' }}>{sender.sender_id}</span>
            <SenderState sender={sender} />
          </Group>
        }
        subtitle={sender.corporation_name}
        crumbs={[{ label: t('menu.sender-ids'), to: '/sender-ids' }]}
        actions={
          <>
            {mayEdit && (
              <Button
                variant="default"
                leftSection={<IconEdit size={16} stroke={1.6} aria-hidden />}
                onClick={() => setEditing(true)}
              >
                {t('actions.edit')}
              </Button>
            )}
            {verdictsOf(sender).map((each, place) => (
              <Button
                key={each}
                variant={place === 0 && each !== 'suspend' ? 'filled' : 'default'}
                leftSection={VERDICT_ICONS[each]}
                onClick={() => setVerdict(each)}
              >
                {t(`sender.decide.${each}.action`)}
              </Button>
            ))}
            {mayEdit && canSubmit(sender) && !sender.may_decide && (
              <Button leftSection={SUBMIT_ICON} onClick={() => void submit(sender, t)}>
                {t('sender.submit')}
              </Button>
            )}
          </>
        }
      />
      <Stack gap="md">
        {why && (
          <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} />}>
            {t(why)}
            {sender.held_name && sender.state === 'submitted' && ` ${t('sender.held')}`}
            {sender.state_reason && (
              <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
                {t('resources.sender-ids.fields.state_reason')}: {sender.state_reason}
              </Text>
            )}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          <Stack gap="md">
            <About sender={sender} />
            {isNumeric(sender.sender_id) && <NumberHistory sender={sender} />}
            <SenderDocuments sender={sender} editable={mayEdit} />
          </Stack>
          <History sender={sender} />
        </SimpleGrid>
        {mayRegister && <RegistrationsOf senderId={sender.id} />}
      </Stack>
      {verdict && <SenderDecision senders={[sender]} verdict={verdict} onClose={() => setVerdict(null)} />}
      {editing && (
        <ResourceForm
          resource={senderId}
          row={sender}
          preset={undefined}
          size={undefined}
          onClose={() => setEditing(false)}
        >
          <SenderForm />
        </ResourceForm>
      )}
    </>
  );
}

function About({ sender }: { sender: Sender }) {
  const { t } = useTranslation();
  const format = useFormat();
  const yes = (on: boolean) => t(on ? 'common.yes' : 'common.no');
  const label = (field: keyof Sender) => t(keyIn('resources', 'sender-ids', 'fields', field));
  return (
    <Section title={t('sender.about')}>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} spacing="sm" m={0}>
        <Fact label={label('purpose')}>{sender.purpose || '–'}</Fact>
        <Fact label={label('requested_by_name')}>{sender.requested_by_name ?? '–'}</Fact>
        <Fact label={label('expires_on')}>
          {sender.expires_on ? format.date(sender.expires_on) : t('sender.no_end')}
        </Fact>
        <Fact label={label('created_at')}>
          <Cell show="instant" value={sender.created_at} />
        </Fact>
        <Fact label={label('is_promotional')}>{yes(sender.is_promotional)}</Fact>
        <Fact label={label('add_optout')}>{yes(sender.add_optout)}</Fact>
        <Fact label={label('optout_keyword')}>{sender.optout_keyword ?? '–'}</Fact>
        <Fact label={label('templates_only')}>{yes(sender.templates_only)}</Fact>
        <Fact label={label('enabled')}>{yes(sender.enabled)}</Fact>
      </SimpleGrid>
    </Section>
  );
}

function History({ sender }: { sender: Sender }) {
  const { t } = useTranslation();
  const format = useFormat();
  const history = useQuery({
    queryKey: ['sender-ids', 'history', sender.id],
    queryFn: ({ signal }) => call(getSenderHistory, { params: { id: sender.id }, signal }),
  });
  const events = history.data?.data ?? [];
  return (
    <Section title={t('sender.history')}>
      <Timeline bulletSize={14} lineWidth={2} active={events.length} aria-label={t('sender.history')}>
        {events.map((event) => (
          <Timeline.Item
            key={`${event.created_at} ${event.to_state} ${event.link_name}`}
            color={SENDER_COLORS[event.to_state] ?? 'gray'}
            title={
              <Text size="sm" fw={500} component="span">
                {t(keyIn('sender.step', stepOf(event)))}
                {event.link_name && ` · ${event.link_name}`}
                {event.expires_on &&
                  (event.to_state === 'approved' || event.to_state === 'registration_registered') &&
                  ` · ${t('sender.since', { day: format.date(event.expires_on) })}`}
              </Text>
            }
          >
            <Text size="xs" c="dimmed" component="div">
              <Cell show="instant" value={event.created_at} />
              {event.user_name && ` · ${event.user_name}`}
            </Text>
            {event.reason && (
              <Text size="sm" mt={2} style={{ overflowWrap: 'anywhere' }}>
                “{event.reason}”
              </Text>
            )}
          </Timeline.Item>
        ))}
        <Timeline.Item
          color="gray"
          title={
            <Text size="sm" fw={500} component="span">
              {t('sender.step.created')}
            </Text>
          }
        >
          <Text size="xs" c="dimmed" component="div">
            <Cell show="instant" value={sender.created_at} />
          </Text>
        </Timeline.Item>
      </Timeline>
    </Section>
  );
}

const stepOf = ({ from_state, to_state }: { from_state: string | null; to_state: string }): string =>
  from_state === 'suspended' && to_state === 'approved' ? 'reinstated' : to_state;
