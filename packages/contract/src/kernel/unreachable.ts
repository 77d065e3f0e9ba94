/**
 * Ends a `switch` that handles every value of a type. It does not compile while a value is missing; at run time it
 * throws for a value that this version does not know.
 */
export function unreachable(value: never): never {
  throw new Error(`unexpected value: ${String(value)}`);
}
