/**
 * Returns the SQL of a column with a person's number as `maskNumber` of the contract shows it. A test holds both
 * together.
 */
export const maskedNumber = (column: string): string =>
  `CASE WHEN ${column} ~ '^[0-9]{7,}$' THEN left(${column}, least(5, length(${column}) - 7)) ||
    repeat('•', length(${column}) - 2 - least(5, length(${column}) - 7)) || right(${column}, 2) ELSE ${column} END`;

/** Returns the SQL of a text with the number of its row masked in it. */
export const maskedIn = (text: string, column: string): string =>
  `replace(${text}, ${column}, ${maskedNumber(column)})`;
