import type { contactHistory } from '@heliograph/contract/audience/contact';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Anchor, Badge, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import { MessageStateBadge } from '../reports/index.ts';

type Event = ReplyOf<typeof contactHistory>['data']['events'][number];

/** History of a contact, newest first. */
export function ContactEvents({ events, failed }: { events: readonly Event[] | undefined; failed: boolean }) {
  const { t } = useTranslation();
  return (
    <Section title={t('contacts.history')}>
      {failed && <Text role="alert">{t('contacts.history_failed')}</Text>}
      {!failed && events === undefined && <Skeleton h={120} />}
      {events?.length === 0 && <Text c="dimmed">{t('contacts.no_history')}</Text>}
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {events?.map((event) => (
          <Entry key={JSON.stringify(event)} event={event} />
        ))}
      </Stack>
    </Section>
  );
}

const COLORS: Readonly<Partial<Record<Event['kind'], string>>> = {
  received: 'blue',
  clicked: 'blue',
  opt_in: 'teal',
  opt_out: 'orange',
  asked: 'yellow',
};

function Entry({ event }: { event: Event }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayOpen = useMay('campaigns-show');
  const { kind, at, text, by, state, campaign, campaign_id } = event;
  return (
    <li>
      <Group gap="xs">
        <Badge color={COLORS[kind] ?? 'gray'} variant="light" tt="none">
          {t(`contact_event.${kind}`)}
        </Badge>
        <Text size="sm" c="dimmed" component="time" dateTime={at}>
          {format.instant(at)}
        </Text>
        {by && <Text size="sm">{by}</Text>}
        {state && <MessageStateBadge state={state as 'delivered'} />}
        {campaign &&
          (mayOpen ? (
            <Anchor component={Link} to={`/campaign-history/${campaign_id}`} size="sm">
              {campaign}
            </Anchor>
          ) : (
            <Text size="sm">{campaign}</Text>
          ))}
      </Group>
      {text && (
        <Text size="sm" mt={2} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          {text}
        </Text>
      )}
    </li>
  );
}
