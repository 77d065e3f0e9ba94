/** Share of a day's messages that is requested in each hour: a night, a morning when campaigns start, an afternoon. */
const HOURS = [1, 1, 1, 1, 1, 2, 5, 14, 38, 62, 66, 52, 32, 28, 38, 50, 44, 28, 16, 10, 7, 5, 3, 2];
const TOTAL = HOURS.reduce((sum, share) => sum + share, 0);

export const SECONDS = 86_400;

/**
 * Returns the messages requested in a second of a day with `messages` in total. It is linear between the middles of two
 * hours.
 */
export function rateAt(second: number, messages: number): number {
  const hour = second / 3_600 - 0.5;
  const before = Math.floor(hour);
  const share = hour - before;
  const of = (at: number) => HOURS[(at + 24) % 24]!;
  return (messages / TOTAL / 3_600) * (of(before) * (1 - share) + of(before + 1) * share);
}

/** Returns the highest number of messages requested in a second. */
export const peakRate = (messages: number): number => (messages / TOTAL / 3_600) * Math.max(...HOURS);

/**
 * Returns the most that wait if `rate` messages leave per second, and the number requested while more come than leave.
 */
export function backlogOf(messages: number, rate: number): { most: number; crowd: number } {
  let [waiting, most, crowd] = [0, 0, 0];
  // The loop covers two days, so that the messages left at midnight count.
  for (let second = 0; second < 2 * SECONDS; second += 60) {
    const came = rateAt(second % SECONDS, messages);
    waiting = Math.max(0, waiting + 60 * (came - rate));
    most = Math.max(most, waiting);
    if (came > rate && second < SECONDS) crowd += 60 * came;
  }
  return { most, crowd };
}
