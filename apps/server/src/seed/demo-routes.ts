import type pg from 'pg';

/** Condition of a route, by the name of its corporation, or by the code of its network. */
interface DemoRoute {
  name: string;
  class?: string;
  corporation?: string;
  network?: readonly [mcc: string, mnc: string];
  strategy: string;
  quality_floor?: number;
  avoid_declined?: boolean;
  /** True if the second link goes first. */
  reversed?: boolean;
}

const ROUTES: readonly DemoRoute[] = [
  { name: 'One-time codes', class: 'otp', strategy: 'best_quality', avoid_declined: true },
  {
    ...{ name: 'Bank alerts', class: 'transactional', corporation: 'Blue Harbor Bank' },
    ...{ strategy: 'cost_with_floor', quality_floor: 90 },
  },
  { name: 'SingTel', network: ['525', '01'], strategy: 'least_cost', reversed: true },
];

/** Adds carrier routes over two links. The second one is off in the demo, so the first carries everything until it is on. */
export async function seedRoutes(
  client: Pick<pg.ClientBase, 'query'>,
  links: readonly [number, number],
): Promise<void> {
  for (const route of ROUTES) {
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO carrier_route (name, class, corporation_id, network_id, strategy, quality_floor, avoid_declined)
       VALUES ($1, $2, (SELECT id FROM corporation WHERE name = $3), (SELECT id FROM network WHERE mcc = $4 AND mnc = $5), $6, $7, $8)
       RETURNING id`,
      [
        route.name,
        route.class,
        route.corporation,
        ...(route.network ?? [null, null]),
        route.strategy,
        route.quality_floor,
        route.avoid_declined ?? false,
      ],
    );
    for (const [place, link] of (route.reversed ? links.toReversed() : links).entries())
      await client.query(
        'INSERT INTO carrier_route_link (carrier_route_id, link_id, position, weight) VALUES ($1, $2, $3, 1)',
        [rows[0]!.id, link, place + 1],
      );
  }
}
