import { carrierRouteLinks } from '@heliograph/contract/carrier-routes/carrier-route';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
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

/** Interval between two reads of the health, in milliseconds. */
const REFRESH = 5_000;

/** Reads all links with their present health, and keeps them up to date. */
export const useLinksNow = () =>
  useQuery({
    queryKey: ['carrier-routes', 'links'],
    queryFn: ({ signal }) => call(carrierRouteLinks, { signal }),
    refetchInterval: REFRESH,
  });

/** Badge with the health of a link, and since when it has been so. */
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

/** Overview of every link: its health, the messages waiting for it, and the messages that no other link can take. */
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
