import { carrierRoute } from '@heliograph/contract/carrier-routes/carrier-route';
import { network } from '@heliograph/contract/networks/network';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Button } from '@mantine/core';
import { IconRouteAltLeft, IconTrendingDown } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useMay } from '../../platform/session.ts';
import { ResourceList } from '../../resource/resource-list.tsx';
import { ExplainRoute } from './explain-route.tsx';
import { LinksAtAGlance } from './route-health.tsx';

type Row = z.output<typeof carrierRoute.row>;

/** Returns the links of a route in one line: positions in their order, with shares if a position has several links. */
function linksText(links: Row['links']): string {
  const places = Map.groupBy(links, ({ position }) => position);
  return [...places.values()]
    .map((each) =>
      each.map((link) => (each.length > 1 ? `${link.link_name} × ${link.weight}` : link.link_name)).join(' + '),
    )
    .join(' → ');
}

/** Screen of the carrier routes with their links, and an explanation of the route that a message takes. */
export function CarrierRoutes() {
  const { t } = useTranslation();
  const [explaining, setExplaining] = useState(false);
  const navigate = useNavigate();
  const mayMargins = useMay('margins-index');
  const mayExplain = useMay(carrierRoute.permissions.index);
  const whose = (row: Row) =>
    row.corporation_name ??
    (row.reseller_name
      ? t('carrier_routes.whole_reseller', { name: row.reseller_name })
      : t('carrier_routes.everybody'));
  return (
    <>
      <ResourceList
        resource={carrierRoute}
        columns={[
          'name',
          { field: 'corporation_name', cell: whose, csv: whose },
          'sender_id',
          { field: 'class', cell: (row) => row.class && t(`message_class.${row.class}`) },
          { field: 'network_id', cell: (row) => row.network_name, csv: (row) => row.network_name ?? '' },
          'prefix',
          { field: 'links', cell: (row) => linksText(row.links), csv: (row) => linksText(row.links) },
          {
            field: 'strategy',
            cell: (row) => t(`route_strategy.${row.strategy}`),
            csv: (row) => t(`route_strategy.${row.strategy}`),
          },
          'enabled',
          { field: 'created_at', hidden: true },
        ]}
        filters={[
          { field: 'corporation_id', to: corporation },
          { field: 'reseller_id', to: corporation },
          { field: 'class', words: 'message_class' },
          { field: 'network_id', to: network },
          'enabled',
        ]}
        rowActions={(row) =>
          mayMargins
            ? [
                {
                  label: t('loss.show'),
                  icon: <IconTrendingDown size={16} stroke={1.6} />,
                  onClick: () => void navigate({ to: '/losses', search: { carrier_route_id: String(row.id) } }),
                },
              ]
            : []
        }
        header={{
          subtitle: t('carrier_routes.precedence'),
          actions: mayExplain && (
            <Button
              variant="default"
              leftSection={<IconRouteAltLeft size={16} stroke={1.6} />}
              onClick={() => setExplaining(true)}
            >
              {t('carrier_routes.explain')}
            </Button>
          ),
        }}
      >
        <LinksAtAGlance />
      </ResourceList>
      {explaining && <ExplainRoute onClose={() => setExplaining(false)} />}
    </>
  );
}
