export { consolidate } from './consolidate.ts';
export { exchangeRateKind, exchangeRateRoutes } from './exchange-rates.ts';
export { convertMillionths, type RateEntry, RateTable } from './rate-table.ts';
export { readExchangeRates } from './read-rates.ts';
