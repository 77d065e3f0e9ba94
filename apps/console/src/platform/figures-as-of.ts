import { create } from 'zustand';

/** Figures that were so old when they came are said to be of their moment; a standby is a second behind as a rule. */
const WORTH_TELLING_MS = 5_000;

/** Of which moment the last answer of a report was, by the path of its call, where a standby gave it that was behind. */
export const useFiguresAsOf = create<Readonly<Record<string, string | undefined>>>()(() => ({}));

/** Keeps of which moment an answer is. How old it was follows from the server's own clock alone. */
export function keepAsOf(path: string, headers: Headers): void {
  const asOf = headers.get('figures-as-of') ?? undefined;
  const old = asOf && Date.parse(headers.get('date') ?? '') - Date.parse(asOf) >= WORTH_TELLING_MS;
  const told = old ? asOf : undefined;
  if (useFiguresAsOf.getState()[path] !== told) useFiguresAsOf.setState({ [path]: told });
}
