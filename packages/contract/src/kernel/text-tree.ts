/** Texts of a language by the steps of their keys. */
export type TextTree = { [key: string]: string | TextTree };

/** Adds the texts of a file to those of others; branches of the same name grow together. */
export function mergeTexts(into: TextTree, from: TextTree): TextTree {
  for (const [key, value] of Object.entries(from)) {
    const present = into[key];
    into[key] = typeof value === 'object' && typeof present === 'object' ? mergeTexts(present, value) : value;
  }
  return into;
}
