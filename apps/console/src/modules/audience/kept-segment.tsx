import type { SegmentNames, SegmentRule } from '@heliograph/contract/audience/segment-rule';
import { Text } from '@mantine/core';
import { useExplain } from './segment-voice.ts';

/** Segment of a campaign's recipients, with its rule as it was when they were found. */
export function KeptSegment({ name, rule, names }: { name: string; rule: SegmentRule; names: SegmentNames }) {
  const explain = useExplain();
  return (
    <>
      {name}
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {explain(rule, names)}
      </Text>
    </>
  );
}
