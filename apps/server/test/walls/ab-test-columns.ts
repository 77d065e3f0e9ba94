/** Values of the columns of A/B tests, as in `COLUMNS` of world.ts. */
export const AB_TEST_COLUMNS: Readonly<Record<string, () => string | number | null>> = {
  'campaign_test.state': () => 'running',
  'campaign_test.metric': () => 'delivered',
  'campaign_test.event_name': () => null,
  'campaign_test.decides': () => 'automatic',
  'campaign_test.fallback': () => 'best',
  'campaign_test.share_percent': () => 50,
  'campaign_test.certainty_percent': () => 90,
  'campaign_test.schedule': () => '{}',
  'campaign_test.result': () => '[]',
  'campaign_test.winner': () => null,
  'campaign_test.decided_by': () => 'person',
  'campaign_test.looks_at': () => null,
  'campaign_test_variant.place': () => 1,
};
