import {
  applyCarrierCard,
  carrierCard,
  carrierCardChanges,
  costOfNumber,
} from '@heliograph/contract/carrier-costs/carrier-card';
import { carrierRate, uploadCarrierRates } from '@heliograph/contract/carrier-costs/carrier-rate';
import { type App, mount, mountResource } from '#platform/http/http';
import { mountBulkUpload } from '#platform/tasks/bulk-upload';
import { showCardChanges } from './card-changes.ts';
import { applyCard, carrierCards } from './carrier-cards.ts';
import { carrierRates, prepareUpload } from './carrier-rates.ts';
import { showCostOfNumber } from './cost-of-number.ts';
import { carrierRateKind } from './rate-file.ts';

export { type CostOf, costReader, draftReader } from './cost-reader.ts';
export { type CostTable, type Period, RatesNotRead, type UnitCost } from './cost-table.ts';
export { accountParts, type LinkPart, linkParts, partsOfChunks, partsOfMessage } from './link-parts.ts';
export { readCost, readDay } from './rate-cells.ts';
export { carrierRateKind } from './rate-file.ts';
export { Costs } from './read-costs.ts';

/** Mounts the cards of carriers' prices, their rates and files, and the cost of a number. */
export function mountCarrierCosts(app: App): void {
  // Before the record, whose path takes any word.
  mount(app, costOfNumber, showCostOfNumber);
  mountResource(app, carrierCard, carrierCards);
  mount(app, applyCarrierCard, applyCard);
  mount(app, carrierCardChanges, showCardChanges);
  mountResource(app, carrierRate, carrierRates);
  mountBulkUpload(app, uploadCarrierRates, carrierRateKind, prepareUpload);
}
