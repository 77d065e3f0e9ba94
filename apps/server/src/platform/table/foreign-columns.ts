import { plainName } from '@heliograph/contract/kernel/column-names';
import type { FileColumn } from '@heliograph/contract/kernel/find-columns';

/** Part of a heading that says the unit, such as "(EUR)", "[per SMS]" or "in USD". */
const UNIT = /[([].*?[)\]]|\b(?:in\s+)?(?:[A-Z]{3}|€|\$|£)\s*$/g;
const MAX_NAME = 100;

/** Columns of files that others make, found by the names that they give to them. */
export class ForeignColumns<Field extends string> {
  readonly #fields: readonly Field[];
  /** Fields by plain name, with the place of the name among those of its field: an earlier name goes first. */
  readonly #known: ReadonlyMap<string, { field: Field; place: number }>;

  /** `names` has the names of each field, with commas or line breaks between them, the clearest first. */
  constructor(fields: readonly Field[], names: Readonly<Record<Field, string>>) {
    this.#fields = fields;
    this.#known = new Map(
      fields
        .flatMap((field) =>
          [field, ...names[field].split(/[,\n]/)].map((name, place) => [plainName(name), { field, place }] as const),
        )
        .filter(([name]) => name !== ''),
    );
  }

  /**
   * Reads assigned columns, such as `Tariff = price, Zone = prefix`, by plain name; the field `none` ignores a column.
   * Returns null if they cannot be read.
   */
  assigned(text: string): Map<string, Field | null> | null {
    const found = new Map<string, Field | null>();
    for (const pair of text.split(/[,;\n]/).filter((each) => each.trim() !== '')) {
      const at = pair.lastIndexOf('=');
      const name = plainName(pair.slice(0, at));
      const field = pair
        .slice(at + 1)
        .trim()
        .toLowerCase()
        .replaceAll(/[\s/-]+/g, '_');
      const known = this.#fields.find((column) => column === field) ?? (field === 'none' ? null : undefined);
      if (at < 0 || name === '' || known === undefined) return null;
      found.set(name, known);
    }
    return found;
  }

  /**
   * Finds the fields of a file's columns: as assigned, else by their names. Of several columns for a field the one with
   * the clearest name counts. `fields` are those that were found.
   */
  find(
    cells: readonly string[],
    assigned: ReadonlyMap<string, Field | null>,
  ): { columns: FileColumn[]; fields: ReadonlySet<Field> } {
    const places = new Map<Field, { at: number; place: number }>();
    for (const [at, cell] of cells.entries()) {
      const own = assigned.get(plainName(cell));
      const found = own === undefined ? this.#fieldOf(cell) : own && { field: own, place: -1 };
      if (found && found.place < (places.get(found.field)?.place ?? Number.POSITIVE_INFINITY))
        places.set(found.field, { at, place: found.place });
    }
    const byPlace = new Map([...places].map(([field, { at }]) => [at, field]));
    const columns = cells.map((cell, at) => ({
      name: cell.trim().slice(0, MAX_NAME) || String(at + 1),
      field: byPlace.get(at) ?? null,
    }));
    return { columns, fields: new Set(places.keys()) };
  }

  #fieldOf = (name: string) => this.#known.get(plainName(name)) ?? this.#known.get(plainName(name.replace(UNIT, ' ')));
}
