const MINUTE_MS = 60_000;
/** Steps in minutes that people read easily. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1_440, 10_080];

interface Minute {
  minute: string;
  delivered: number;
}

/**
 * Returns bars of equal length from the first to the last minute, at most `most` of them, and their length in minutes.
 * Times without deliveries have empty bars.
 */
export function groupMinutes(minutes: readonly Minute[], most: number): { bars: Minute[]; step: number } {
  const first = minutes[0];
  const last = minutes.at(-1);
  if (!first || !last) return { bars: [], step: 1 };
  const span = (Date.parse(last.minute) - Date.parse(first.minute)) / MINUTE_MS + 1;
  const step = STEPS.find((each) => span / each <= most - 1) ?? Math.ceil(span / (most - 1));
  const length = step * MINUTE_MS;
  const begin = Math.floor(Date.parse(first.minute) / length);
  const count = Math.floor(Date.parse(last.minute) / length) - begin + 1;
  const bars = Array.from({ length: count }, (_, at) => ({
    minute: new Date((begin + at) * length).toISOString(),
    delivered: 0,
  }));
  for (const { minute, delivered } of minutes)
    bars[Math.floor(Date.parse(minute) / length) - begin]!.delivered += delivered;
  return { bars, step };
}
