import { explainCarrierRoute } from '@heliograph/contract/carrier-routes/carrier-route';
import { wordsOf } from '@heliograph/contract/kernel/fields';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Alert, Badge, Divider, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { labelOf } from '../../resource/columns.tsx';
import { ReferenceSelect } from '../../resource/reference.tsx';
import { AskDrawer, RulesTried } from '../../ui/ask-drawer.tsx';
import { latencyText } from '../carrier-quality/index.ts';
import { HealthBadge } from './route-health.tsx';

type Explanation = ReplyOf<typeof explainCarrierRoute>['data'];
type MessageClass = Explanation['class'];

const CLASSES = wordsOf(explainCarrierRoute.query.shape.class) as MessageClass[];

/** Drawer that asks for a number. It shows the route and the links that its messages take now, and why. */
export function ExplainRoute(props: { onClose: () => void }) {
  const { t } = useTranslation();
  const [number, setNumber] = useState('');
  const [corporationId, setCorporationId] = useState<number | null>(null);
  const [sender, setSender] = useState('');
  const [messageClass, setMessageClass] = useState<MessageClass>('bulk');
  const explain = useMutation({
    mutationFn: () =>
      call(explainCarrierRoute, {
        query: {
          number,
          class: messageClass,
          ...(corporationId === null ? {} : { corporation_id: corporationId }),
          ...(sender.trim() === '' ? {} : { sender_id: sender.trim() }),
        },
      }),
  });
  const faults = problemFrom(explain.error)?.errors;

  return (
    <AskDrawer
      title={t('carrier_routes.explain')}
      hint={t('carrier_routes.explain_hint')}
      submit={t('carrier_routes.explain_submit')}
      busy={explain.isPending}
      ready={number.trim() !== ''}
      fault={explain.error && !faults ? sentenceOf(explain.error) : undefined}
      onAsk={() => explain.mutate()}
      onClose={props.onClose}
      answer={explain.data && <Answer {...explain.data.data} />}
    >
      <TextInput
        label={t('carrier_routes.number')}
        inputMode="tel"
        required
        data-autofocus
        error={faults?.['number']?.[0]}
        value={number}
        onChange={(event) => setNumber(event.currentTarget.value)}
      />
      <ReferenceSelect
        label={labelOf('carrier-routes', 'corporation_id')}
        to={corporation}
        error={faults?.['corporation_id']?.[0]}
        value={corporationId}
        onChange={setCorporationId}
      />
      <TextInput
        label={labelOf('carrier-routes', 'sender_id')}
        error={faults?.['sender_id']?.[0]}
        value={sender}
        onChange={(event) => setSender(event.currentTarget.value)}
      />
      <Select
        label={labelOf('carrier-routes', 'class')}
        allowDeselect={false}
        data={CLASSES.map((value) => ({ value, label: t(`message_class.${value}`) }))}
        value={messageClass}
        onChange={(value) => value && setMessageClass(value as MessageClass)}
      />
    </AskDrawer>
  );
}

function Answer(props: Explanation) {
  const { t } = useTranslation();
  const format = useFormat();
  const { number, route, links, rules } = props;
  const taken = links.filter(({ share }) => share > 0);
  const names = taken.map(({ link_name }) => link_name).join(', ');
  const unregistered = taken.length === 0 && links.some(({ registration }) => registration === 'missing');
  const outcome = taken.length === 0 ? 'nowhere' : props.waits ? 'waits' : 'goes';
  return (
    <Stack gap="md">
      <Alert color={outcome === 'goes' ? 'teal' : 'orange'} variant="light">
        {route
          ? t('carrier_routes.answer_route', { number, route: route.name })
          : t('carrier_routes.answer_none', { number })}{' '}
        {unregistered ? t('carrier_routes.unregistered') : t(`carrier_routes.${outcome}`, { links: names })}{' '}
        {props.network !== null && t('carrier_routes.number_network', { network: props.network })}
      </Alert>
      {links.length > 0 && (
        <Stack gap={6}>
          <Divider label={t('carrier_routes.links_now')} labelPosition="left" />
          {links
            .toSorted((a, b) => a.order - b.order)
            .map((link) => (
              <Group key={link.link_id} gap="xs" wrap="nowrap" align="flex-start">
                <Text size="sm" c="dimmed" w={24} ta="right">
                  {link.order}.
                </Text>
                <Group gap="xs" flex={1}>
                  <Text size="sm" fw={500}>
                    {link.link_name}
                  </Text>
                  <HealthBadge {...link} />
                  {link.registration && (
                    <Badge variant="light" color={link.registration === 'missing' ? 'orange' : 'gray'}>
                      {t(`carrier_routes.registration.${link.registration}`)}
                    </Badge>
                  )}
                  <Text size="sm" c="dimmed">
                    {link.share > 0
                      ? t('carrier_routes.share', { percent: format.percent(link.share / 100) })
                      : t('carrier_routes.not_used')}
                  </Text>
                  <Badge variant="default">{t(`order_reason.${link.why}`)}</Badge>
                  {link.cost !== null && (
                    <Text size="sm" c="dimmed">
                      {link.cost}
                    </Text>
                  )}
                  {link.rate !== null && (
                    <Text size="sm" c="dimmed">
                      {t('carrier_routes.rate', { rate: format.percent(link.rate) })}
                      {link.p95_ms !== null && ` · ${t('carrier_routes.p95', { time: latencyText(link.p95_ms) })}`}
                    </Text>
                  )}
                </Group>
              </Group>
            ))}
        </Stack>
      )}
      <RulesTried
        ordered
        title={t('carrier_routes.rules_tried')}
        none={t('carrier_routes.no_rules')}
        rules={rules.map(({ id, name, verdict }) => ({
          id,
          name,
          verdict: t(`route_verdict.${verdict}`),
          chosen: verdict === 'chosen',
        }))}
      />
      {props.rules_omitted > 0 && (
        <Text size="sm" c="dimmed">
          {t('carrier_routes.rules_omitted', { count: props.rules_omitted })}
        </Text>
      )}
    </Stack>
  );
}
