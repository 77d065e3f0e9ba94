import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { statusReason } from '@heliograph/contract/links/carrier-status';
import { getMessage } from '@heliograph/contract/reports/transaction';
import { Alert, Anchor, Drawer, Group, SimpleGrid, Skeleton, Stack, Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { Cell } from '../../resource/columns.tsx';
import { useRemoval } from '../../resource/removal.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Link } from '../../ui/link.tsx';
import { Callbacks, Charge, Checks } from './message-parts.tsx';
import { Pdus } from './message-pdus.tsx';
import { MessageStateBadge } from './message-state.tsx';
import { errorOf, Reason, reasonWithCode } from './reason.tsx';

type Message = ReplyOf<typeof getMessage>['data'];

/** Drawer with everything that happened to one message. */
export function MessageDrawer(props: { id: number; onClose: () => void }) {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ['messages', 'one', props.id],
    queryFn: ({ signal }) => call(getMessage, { params: { id: props.id }, signal }),
  });
  const message = query.data?.data;
  return (
    <Drawer
      opened
      onClose={props.onClose}
      title={
        <Text fw={600}>{message ? t('message.to', { number: message.number }) : t('resources.messages.one')}</Text>
      }
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {query.error && !message ? (
        <Alert color="red" variant="light">
          {sentenceOf(query.error)}
        </Alert>
      ) : message ? (
        <Details message={message} />
      ) : (
        <Stack role="status" aria-label={t('common.loading')}>
          <Skeleton h={24} w={180} />
          <Skeleton h={90} radius="lg" />
          <Skeleton h={200} radius="lg" />
        </Stack>
      )}
    </Drawer>
  );
}

function Details({ message }: { message: Message }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayOpen = useMay('campaigns-show');
  const mayReadInbox = useMay('inbox-index');
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <MessageStateBadge state={message.state} />
        {message.error_code && (
          <Text size="sm" component="div">
            <Reason code={message.error_code} />
          </Text>
        )}
        {mayReadInbox && (
          <Anchor
            component={Link}
            to="/inbox"
            search={{ layout: 'conversations', phone: message.number }}
            size="sm"
            ml="auto"
          >
            {t('inbox.open')}
          </Anchor>
        )}
      </Group>
      {isUncertain(message) && (
        <Alert color="gray" variant="light">
          {t('message.uncertain')}
        </Alert>
      )}
      <Text
        size="sm"
        p="sm"
        style={{
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
          borderRadius: 14,
          background: 'color-mix(in srgb, var(--mantine-color-gray-5) 16%, transparent)',
        }}
      >
        {message.text ?? t('campaign.text_hidden')}
      </Text>
      <Removed message={message} />
      <SimpleGrid component="dl" cols={{ base: 2, xs: 3 }} spacing="sm" m={0}>
        <Fact label={t('resources.messages.fields.sender_id')}>{message.sender_id}</Fact>
        <Fact label={t('resources.messages.fields.encoding')}>{t(`encoding.${message.encoding}`)}</Fact>
        <Fact label={t('resources.messages.fields.parts')}>{format.integer(message.parts)}</Fact>
        {message.network && (
          <Fact label={t('message.network')}>
            {message.network.ported ? t('message.ported', { network: message.network.label }) : message.network.label}
          </Fact>
        )}
        <Fact label={t('resources.messages.fields.charge')}>
          {format.money(message.charge, message.currency)}
          <Anchor component={Link} to={`/message-charge/${message.id}`} size="sm" display="block">
            {t('charge.why')}
          </Anchor>
        </Fact>
        {message.user_name && <Fact label={t('resources.messages.fields.user_name')}>{message.user_name}</Fact>}
        {message.campaign_id !== null && (
          <Fact label={t('resources.messages.fields.campaign_name')}>
            {mayOpen ? (
              <Anchor component={Link} to={`/campaign-history/${message.campaign_id}`} size="sm">
                {message.campaign_name}
              </Anchor>
            ) : (
              message.campaign_name
            )}
          </Fact>
        )}
      </SimpleGrid>
      <div>
        <Text fw={600} mb="sm">
          {t('message.history')}
        </Text>
        <History message={message} />
      </div>
      <Checks message={message} />
      <Charge message={message} />
      {message.pdus.length > 0 && <Pdus pdus={message.pdus} />}
      <Callbacks id={message.id} />
    </Stack>
  );
}

/** Sentences that say when and why the text or the number was removed. */
function Removed({ message: { removed } }: { message: Message }) {
  const say = useRemoval();
  const sentences = (['text', 'number'] as const).flatMap((what) => (removed[what] ? [say(what, removed[what])] : []));
  return [...new Set(sentences)].map((sentence) => (
    <Alert key={sentence} color="gray" variant="light">
      {sentence}
    </Alert>
  ));
}

/** Value of command_status for a part that was never answered. */
const NO_ANSWER = -1;
/**
 * Time after which an answer is no longer expected, in ms. By then, every timely answer has arrived or another try is
 * under way.
 */
const ANSWER_MS = 120_000;

/** Returns whether a message was handed over but some of its parts were never answered. */
const isUncertain = ({ state, segments, parts, created_at }: Message) =>
  state === 'submitted' && segments.length < parts && Date.now() - Date.parse(created_at) > ANSWER_MS;

const answerTitle = (status: number) =>
  status === 0 ? 'message.accepted' : status === NO_ANSWER ? 'message.no_answer' : 'message.refused';

const answerDetail = (status: number) => (status === NO_ANSWER ? '' : reasonWithCode(statusReason(status)));

interface Step {
  at: string;
  title: string;
  detail: string;
  color: string;
}

function History({ message }: { message: Message }) {
  const { t } = useTranslation();
  const format = useFormat();
  const several = message.parts > 1;
  const moved = (amount: string) =>
    /^-?0*(\.0*)?$/.test(amount)
      ? []
      : [
          t(amount.startsWith('-') ? 'message.correction_refunded' : 'message.correction_charged', {
            amount: format.money(amount.replace('-', ''), message.currency),
          }),
        ];
  const part = (number: number) => (several ? `${t('preview.part', { part: number, parts: message.parts })} · ` : '');
  const carrierId = (id: string | null) => (id === null ? '' : t('message.carrier_id', { id }));
  const steps: Step[] = [
    { at: message.created_at, title: t('message.queued'), detail: '', color: 'gray' },
    ...message.segments.map((segment) => ({
      at: segment.answered_at,
      title: t(answerTitle(segment.command_status), { link: segment.link_name ?? t('message.the_carrier') }),
      detail:
        part(segment.part) +
        (segment.command_status === 0 ? carrierId(segment.carrier_id) : answerDetail(segment.command_status)),
      color: segment.command_status === 0 ? 'blue' : 'red',
    })),
    ...message.resends.map((resend) => ({
      at: resend.resent_at,
      title: t('message.resent'),
      detail: part(resend.part) + t('message.resent_hint'),
      color: 'orange',
    })),
    ...message.receipts.map((receipt) => ({
      at: receipt.received_at,
      title: t('message.receipt', { state: t(keyIn('receipt_state', receipt.state), { defaultValue: receipt.state }) }),
      detail:
        part(receipt.part) +
        [carrierId(receipt.carrier_id), receipt.error && !/^0+$/.test(receipt.error) ? errorOf(receipt.error) : '']
          .filter((each) => each !== '')
          .join(' · '),
      color: receipt.state === 'delivered' ? 'teal' : 'orange',
    })),
    ...(message.done_at
      ? [
          {
            at: message.done_at,
            title: t(`message_state.${message.state}`),
            detail: t('message.final'),
            color: message.state === 'delivered' ? 'teal' : 'red',
          },
        ]
      : []),
    ...(message.correction
      ? [
          {
            at: message.correction.corrected_at,
            title: t('message.correction', { state: t(`message_state.${message.correction.state}`) }),
            detail: [t('message.correction_hint'), ...moved(message.correction.amount)].join(' · '),
            color: 'orange',
          },
        ]
      : []),
  ].sort((a, b) => a.at.localeCompare(b.at));
  return (
    <Timeline bulletSize={14} lineWidth={2} active={steps.length - 1}>
      {steps.map((step, at) => (
        <Timeline.Item
          // biome-ignore lint/suspicious/noArrayIndexKey: two things can happen at one moment
          key={at}
          color={step.color}
          title={
            <Text size="sm" fw={500} component="span">
              {step.title}
            </Text>
          }
        >
          <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
            <Cell show="instant" value={step.at} />
            {step.detail && ` · ${step.detail}`}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
