import { z } from 'zod';

/** One address or a network, of IP version 4 or 6. */
export const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: 'ip_or_network' });
