/** Returns a text as a pattern of LIKE that matches only itself. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Returns a pattern of LIKE that matches what contains a text; an empty text is in everything. */
export const containing = (text: string): string => `%${literally(text)}%`;
