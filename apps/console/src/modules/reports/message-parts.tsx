import { chargeOfMessage } from '@heliograph/contract/billing/rate-detail';
import { messageCallbacks } from '@heliograph/contract/callbacks/callback';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { MessageCheck } from '@heliograph/contract/reports/message-check';
import type { getMessage } from '@heliograph/contract/reports/transaction';
import { Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { Fact } from '../../ui/fact.tsx';

type Message = ReplyOf<typeof getMessage>['data'];

const RESULT_COLORS = { passed: 'teal', stopped: 'red', skipped: 'gray', waiting: 'blue', held: 'orange' } as const;

function Part(props: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text fw={600} mb="xs">
        {props.title}
      </Text>
      {props.children}
    </div>
  );
}

/** Why the message was allowed or stopped: each check with its reason, and how its route was found. */
export function Checks({ message }: { message: Message }) {
  const { t } = useTranslation();
  return (
    <Part title={t('xray.checks')}>
      <Stack gap={8} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {message.rules.map((check) => (
          <Check key={check.rule} check={check} />
        ))}
      </Stack>
      <SimpleGrid component="dl" cols={2} spacing="sm" mt="sm" mb={0}>
        <Fact label={t('xray.route')}>{message.route?.name ?? t('xray.no_route')}</Fact>
        <Fact label={t('xray.class')}>{t(`xray.classes.${message.class}`)}</Fact>
      </SimpleGrid>
    </Part>
  );
}

function Check({ check: { rule, result, because } }: { check: MessageCheck }) {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = ([name, value]: [string, string | number]) => {
    if (name.endsWith('_at')) return [name, format.instant(String(value))];
    return [name, name.endsWith('_on') ? format.date(String(value)) : value];
  };
  return (
    <Group component="li" justify="space-between" align="flex-start" wrap="nowrap">
      <div>
        <Text size="sm">{t(`xray.rule.${rule}`)}</Text>
        {because && (
          <Text size="xs" c="dimmed">
            {t(keyIn('xray.why', rule, because.key), Object.fromEntries(Object.entries(because.params).map(shown)))}
          </Text>
        )}
      </div>
      <Badge variant="light" size="sm" color={RESULT_COLORS[result]} style={{ flexShrink: 0 }}>
        {t(`xray.result.${result}`)}
      </Badge>
    </Group>
  );
}

/** Rule by which the price was found, and the entries in the ledger. */
export function Charge({ message }: { message: Message }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: charge } = useQuery({
    queryKey: ['messages', 'charge', message.id],
    queryFn: ({ signal }) => call(chargeOfMessage, { params: { id: message.id }, signal }),
  });
  if (!charge) return null;
  const { pricing, currency, unit_price } = charge;
  return (
    <Part title={t('xray.quote')}>
      <SimpleGrid component="dl" cols={2} spacing="sm" m={0}>
        {pricing && <Fact label={t('xray.plan')}>{pricing.price_plan_name}</Fact>}
        {pricing && <Fact label={t('xray.zone')}>{pricing.rate_zone_name}</Fact>}
        <Fact label={t('xray.unit_price')}>{format.money(unit_price, currency)}</Fact>
        <Fact label={t('xray.parts_charged')}>
          {format.integer(charge.parts_charged)} / {format.integer(charge.parts)}
        </Fact>
      </SimpleGrid>
    </Part>
  );
}

const CALLBACK_COLORS = { waiting: 'blue', done: 'teal', failed: 'red' } as const;

/** Callbacks that were sent about the message. */
export function Callbacks({ id }: { id: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const allowed = useMay(messageCallbacks.permission);
  const { data } = useQuery({
    queryKey: ['messages', 'callbacks', id],
    queryFn: ({ signal }) => call(messageCallbacks, { params: { id }, signal }),
    enabled: allowed,
  });
  if (!data || data.data.length === 0) return null;
  return (
    <Part title={t('xray.callbacks')}>
      <Stack gap={6}>
        {data.data.map((each) => (
          <Group key={each.id} justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {each.type} · {format.instant(each.created_at)}
            </Text>
            <Badge variant="light" size="sm" color={CALLBACK_COLORS[each.state]} style={{ flexShrink: 0 }}>
              {t(`xray.callback.${each.state}`)}
            </Badge>
          </Group>
        ))}
      </Stack>
    </Part>
  );
}
