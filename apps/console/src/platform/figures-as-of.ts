import { create } from 'zustand';

/** Minimum age of figures, in ms, from which their time is shown. A standby is usually one second behind. */
const WORTH_TELLING_MS = 5_000;

/**
 * Time of the last answer of each report, by the path of its call. Only answers of a standby that lagged behind have
 * one.
 */
export const useFiguresAsOf = create<Readonly<Record<string, string | undefined>>>()(() => ({}));

/** Stores the time for which an answer is valid. The age is computed only from the server's own clock. */
export function keepAsOf(path: string, headers: Headers): void {
  const asOf = headers.get('figures-as-of') ?? undefined;
  const old = asOf && Date.parse(headers.get('date') ?? '') - Date.parse(asOf) >= WORTH_TELLING_MS;
  const told = old ? asOf : undefined;
  if (useFiguresAsOf.getState()[path] !== told) useFiguresAsOf.setState({ [path]: told });
}
