import type { callback } from '@heliograph/contract/callbacks/callback';
import i18next from 'i18next';
import type { z } from 'zod';

export type EndpointRow = z.output<typeof callback.row>;

/** Returns a short name of an endpoint, for titles and narrow columns. */
export const endpointName = ({ url }: Pick<EndpointRow, 'url'>): string =>
  url === null ? i18next.t('callbacks.own_addresses') : url.replace(/^https?:\/\//, '');
