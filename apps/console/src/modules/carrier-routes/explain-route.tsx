import { explainCarrierRoute } from '@heliograph/contract/carrier-routes/carrier-route';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Alert, Badge, Divider, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { labelOf } from '../../resource/columns.tsx';
import { ReferenceSelect } from '../../resource/reference.tsx';
import { RulesTried } from '../../ui/ask-drawer.tsx';
import { latencyText } from '../carrier-quality/index.ts';
import { AskMessage } from './ask-message.tsx';
import { HealthBadge } from './route-health.tsx';

type Explanation = ReplyOf<typeof explainCarrierRoute>['data'];

/** Drawer that asks for a number. It shows the route and the links that its messages take now, and why. */
export function ExplainRoute(props: { onClose: () => void }) {
  const { t } = useTranslation();
  const [corporationId, setCorporationId] = useState<number | null>(null);
  return (
    <AskMessage
      title={t('carrier_routes.explain')}
      hint={t('carrier_routes.explain_hint')}
      submit={t('carrier_routes.explain_submit')}
      ask={(message) =>
        call(explainCarrierRoute, {
          query: { ...message, ...(corporationId === null ? {} : { corporation_id: corporationId }) },
        })
      }
      answer={({ data }) => <Answer {...data} />}
      onClose={props.onClose}
      fields={(faults) => (
        <ReferenceSelect
          label={labelOf('carrier-routes', 'corporation_id')}
          to={corporation}
          error={faults?.['corporation_id']?.[0]}
          value={corporationId}
          onChange={setCorporationId}
        />
      )}
    />
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
