/** Levels of nesting that a value may have; deeper ones exhaust whatever walks them. */
const MOST_LEVELS = 50;

/** Whether a text can be stored: PostgreSQL holds no NUL, and half of a surrogate pair is no text. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** A place in a value that cannot be stored, and the sentence that says why. */
interface Unstorable {
  /** `a.b.0`; empty for the whole value. */
  field: string;
  key: 'unstorable' | 'too_deep';
}

interface Place {
  value: unknown;
  name: string;
  level: number;
  parent: Place | undefined;
}

const shown = (name: string) => name.toWellFormed().replaceAll('\0', '\ufffd');

function fieldOf(place: Place): string {
  const names: string[] = [];
  for (let at: Place | undefined = place; at?.parent; at = at.parent) names.unshift(shown(at.name));
  return names.join('.');
}

/** The first text or key in a JSON value that cannot be stored, or where it is nested too deeply; undefined where all is well. */
export function findUnstorable(whole: unknown): Unstorable | undefined {
  const places: Place[] = [{ value: whole, name: '', level: 0, parent: undefined }];
  for (let place = places.pop(); place; place = places.pop()) {
    const { value, name, level } = place;
    if (!isStorable(name) || (typeof value === 'string' && !isStorable(value)))
      return { field: fieldOf(place), key: 'unstorable' };
    if (typeof value !== 'object' || value === null) continue;
    // The whole path of a value this deep is nothing that a person reads.
    if (level > MOST_LEVELS) return { field: fieldOf(place).split('.').slice(0, 2).join('.'), key: 'too_deep' };
    for (const [key, each] of Object.entries(value))
      places.push({ value: each, name: key, level: level + 1, parent: place });
  }
  return undefined;
}
