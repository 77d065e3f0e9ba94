import type { createCampaignTest, TestMetric } from '@heliograph/contract/campaigns/campaign-test';
import type { BodyInput } from '@heliograph/contract/kernel/operation';
import { create } from 'zustand';

type Body = BodyInput<typeof createCampaignTest>;

/** A further variant. The first one is the text and the sender of the draft in Send SMS. */
export interface FurtherVariant {
  sender_id: number | null;
  content: string;
  start: string | null;
}

/** Test being set up. It lives as long as the page is not loaded again; the draft holds the rest. */
export interface SetUp extends Omit<Body, 'name' | 'common' | 'variants'> {
  /** User who sets it up, so that the next person at this computer does not see it. */
  owner: number | null;
  further: FurtherVariant[];
  /** Expected share of successes in percent, for the sentence about the sample; null for the usual one. */
  expected: number | null;
}

const EMPTY: SetUp = {
  owner: null,
  further: [{ sender_id: null, content: '', start: null }],
  metric: 'delivered',
  event_name: null,
  share_percent: 20,
  decide_after_hours: 4,
  certainty_percent: 90,
  decides: 'automatic',
  fallback: 'best',
  expected: null,
};

/** Usual share of successes of a result, in percent. */
export const USUAL_RATE: Readonly<Record<TestMetric, number>> = { clicked: 4, replied: 2, delivered: 92, converted: 1 };

export const useSetUp = create<SetUp>()(() => EMPTY);

/** Changes a part of the test that is set up. */
export const setUp = (change: Partial<SetUp>): void => useSetUp.setState(change);

/** Changes a further variant. */
export function editVariant(at: number, change: Partial<FurtherVariant>): void {
  const { further } = useSetUp.getState();
  setUp({ further: further.map((each, place) => (place === at ? { ...each, ...change } : each)) });
}

/** Begins an empty test for a person. */
export const clearSetUp = (owner: number | null): void => useSetUp.setState({ ...EMPTY, owner }, true);
