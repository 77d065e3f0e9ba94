/**
 * Returns whether a text can be stored: PostgreSQL stores no NUL, U+0002 marks encrypted texts, and half of a surrogate
 * pair is no text.
 */
export const isStorable = (text: string): boolean =>
  !text.includes('\0') && !text.includes('\u0002') && text.isWellFormed();

interface Place {
  value: unknown;
  name: string;
  parent: Place | undefined;
}

const shown = (name: string) => name.toWellFormed().replaceAll('\0', '\ufffd');

function fieldOf(place: Place): string {
  const names: string[] = [];
  for (let at: Place | undefined = place; at?.parent; at = at.parent) names.unshift(shown(at.name));
  return names.join('.');
}

/**
 * Returns the field of a text or key that cannot be stored: `a.b.0`, or empty for the whole value; undefined if none.
 */
export function findUnstorable(whole: unknown): string | undefined {
  const places: Place[] = [{ value: whole, name: '', parent: undefined }];
  for (let place = places.pop(); place; place = places.pop()) {
    const { value, name } = place;
    if (!isStorable(name) || (typeof value === 'string' && !isStorable(value))) return fieldOf(place);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, each] of Object.entries(value)) places.push({ value: each, name: key, parent: place });
  }
  return undefined;
}
