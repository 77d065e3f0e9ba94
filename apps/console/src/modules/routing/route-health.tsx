import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { carrierRouteLinks } from '@heliograph/contract/routing/carrier-route';
import { Badge, Group, Paper, Text, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';

type LinkNow = ReplyOf<typeof carrierRouteLinks>['data'][number];

const COLORS: Readonly<Record<LinkNow['state'], string>> = {
  up: 'teal',
  connecting: 'blue',
  down: 'red',
  throttled: 'orange',
  failing: 'red',
  unattended: 'red',
  draining: 'yellow',
  disabled: 'gray',
};

/** How often health is read again, in milliseconds. */
const REFRESH = 5_000;

/** All links with their health now, kept fresh. */
export const useLinksNow = () =>
  useQuery({
    queryKey: ['carrier-routes', 'links'],
    queryFn: ({ signal }) => call(carrierRouteLinks, { signal }),
    refetchInterval: REFRESH,
  });

/** How a link is, and since when. */
export function HealthBadge(props: Pick<LinkNow, 'state' | 'since'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const badge = (
    <Badge variant="light" size="sm" color={COLORS[props.state]} style={{ flexShrink: 0, minWidth: 'max-content' }}>
      {t(`link_health.${props.state}`)}
    </Badge>
  );
  if (props.since === null) return badge;
  return <Tooltip label={t('carrier_routes.since', { time: format.instant(props.since) })}>{badge}</Tooltip>;
}

/** Every link at a glance: its health, what waits for it, and what cannot go elsewhere. */
export function LinksAtAGlance() {
  const { t } = useTranslation();
  const format = useFormat();
  const links = useLinksNow().data?.data;
  if (!links?.length) return null;
  return (
    <Paper className="app-card" component="section" p="sm" mb="md" aria-label={t('carrier_routes.health')}>
      <Group gap="lg" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {links.map((link) => (
          <Group key={link.link_id} gap={8} component="li" wrap="wrap">
            <Text size="sm" fw={500}>
              {link.link_name}
            </Text>
            <HealthBadge {...link} />
            {link.waiting > 0 && (
              <Text size="sm" c="dimmed">
                {t('carrier_routes.waiting', { count: link.waiting, formatted: format.integer(link.waiting) })}
              </Text>
            )}
            {link.stuck > 0 && (
              <Text size="sm" c="var(--mantine-color-error)">
                {t('carrier_routes.stuck', { count: link.stuck, formatted: format.integer(link.stuck) })}
              </Text>
            )}
          </Group>
        ))}
      </Group>
    </Paper>
  );
}
