/** Blackout time of every day, as HH:MM in the corporation's time zone. Two equal times mean the whole day. */
export interface Blackout {
  from: string;
  to: string;
}

/** Returns the time that clocks of a time zone show, as YYYY-MM-DDTHH:MM. */
export function wallTime(moment: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/**
 * Returns the end of the blackout time that contains a start, both as YYYY-MM-DDTHH:MM. Returns null if none contains
 * it.
 */
export function endOfBlackout({ from, to }: Blackout, start: string): string | null {
  const [date = '', time = ''] = [start.slice(0, 10), start.slice(11, 16)];
  const overnight = to <= from;
  const inside = overnight ? time >= from || time < to : time >= from && time < to;
  if (!inside) return null;
  const next = overnight && time >= from;
  const end = new Date(`${date}T00:00:00Z`);
  if (next) end.setUTCDate(end.getUTCDate() + 1);
  return `${end.toISOString().slice(0, 10)}T${to}`;
}

/** Returns usual start times after a moment, as YYYY-MM-DDTHH:MM on the clocks of a time zone. */
export function suggestedStarts(now: Date, zone: string): { name: 'tonight' | 'tomorrow' | 'weekday'; at: string }[] {
  const here = wallTime(now, zone);
  const inDays = (days: number) => {
    const date = new Date(`${here.slice(0, 10)}T00:00:00Z`);
    date.setUTCDate(date.getUTCDate() + days);
    return date;
  };
  const morning = (days: number) => `${inDays(days).toISOString().slice(0, 10)}T09:00`;
  const tonight = { name: 'tonight' as const, at: `${here.slice(0, 10)}T18:00` };
  // The next Monday that is not tomorrow.
  const monday = [2, 3, 4, 5, 6, 7, 8].find((days) => inDays(days).getUTCDay() === 1)!;
  return [
    ...(here < tonight.at ? [tonight] : []),
    { name: 'tomorrow' as const, at: morning(1) },
    { name: 'weekday' as const, at: morning(monday) },
  ];
}
