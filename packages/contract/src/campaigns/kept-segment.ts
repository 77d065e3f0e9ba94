import { z } from 'zod';
import { segmentNames, segmentRule } from '../audience/segment-rule.ts';
import { id } from '../kernel/fields.ts';
import { personText } from '../kernel/personal.ts';

/** Segment as a quote and its campaign keep it: later changes of the segment do not change them. */
export const keptSegment = z.object({
  id,
  name: z.string(),
  rule: personText(segmentRule.clone()),
  names: segmentNames,
});

/** Segments that a stored content keeps. */
export const keptSegments = z.object({ segments: z.array(keptSegment).default([]) });
