import {
  explainNetwork,
  network,
  networkVersions,
  restoreNetworkVersion,
  uploadNetworks,
} from '@heliograph/contract/networks/network';
import { type App, mount, mountResource } from '#platform/http/http';
import { mountBulkUpload } from '#platform/tasks/bulk-upload';
import { explain, listVersions, networks, restoreVersion } from './networks.ts';
import { networkKind } from './upload-networks.ts';

export { type Network, type NetworkPrefixes, NetworkTable } from './network-table.ts';
export { boundsOf, type NumberRanges, numberKey, readNumberPlaces, readNumberRanges } from './number-ranges.ts';
export { deadAmong, LOOKUPS_ENABLED, portedAmong, portedAt } from './ported.ts';
export { NETWORK_STAMP, networksOfStamp, type Read, readNetworks, readNetworksAt } from './read-networks.ts';
export { networkKind } from './upload-networks.ts';

/** Mounts networks, their versions, files and the answer to the network of a number. */
export function networkRoutes(app: App): void {
  mountResource(app, network, networks);
  mountBulkUpload(app, uploadNetworks, networkKind, async () => ({ corporation_id: null, parameters: {} }));
  mount(app, explainNetwork, explain);
  mount(app, networkVersions, listVersions);
  mount(app, restoreNetworkVersion, restoreVersion);
}
