import { together } from '#modules/delivery';
import type { Queryable } from '#platform/database/queryable';
import type { Beside, BesideWork, Outcome, Unit } from './program.ts';

/** Work beside the units of a transaction, by its kind. */
export type Besides = ReadonlyMap<Beside, BesideWork>;

/** Begins the work beside units. */
export async function beginBesides(
  sent: Queryable,
  units: readonly Unit[],
  at: Parameters<Beside['begin']>[2],
): Promise<Besides> {
  const groups = [...Map.groupBy(units, ({ beside }) => beside)].flatMap(([beside, of]) =>
    beside ? [{ beside, of }] : [],
  );
  if (groups.length === 0) return new Map();
  const works = await together(groups.map(({ beside, of }) => beside.begin(sent, of, at)));
  return new Map(groups.map(({ beside }, place) => [beside, works[place]!]));
}

/** Sends what the work beside units writes, each for its own units. */
export const writeBesides = (
  sent: Queryable,
  besides: Besides,
  outcomes: ReadonlyMap<Unit, Outcome>,
): Promise<unknown>[] =>
  [...besides].map(([beside, work]) =>
    work.write(sent, new Map([...outcomes].filter(([unit]) => unit.beside === beside))),
  );
