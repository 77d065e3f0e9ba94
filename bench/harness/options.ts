import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Reads a whole number from the command line, such as `--count 20000`; prints an error and exits if it is none. */
function wholeNumber(name: string, text: string): number {
  const value = Number(text.replaceAll('_', ''));
  if (Number.isInteger(value) && value > 0) return value;
  process.stderr.write(`--${name} must be a whole number above 0, but is “${text}”.\n`);
  process.exit(2);
}

/** Reads options that are whole numbers, each with its default, and `--profile <folder>`. */
export function readOptions<Name extends string>(
  defaults: Readonly<Record<Name, number>>,
): Record<Name, number> & { profile: string | undefined } {
  const names = Object.keys(defaults) as Name[];
  const options: NonNullable<ParseArgsConfig['options']> = { profile: { type: 'string' } };
  for (const name of names) options[name] = { type: 'string' };
  try {
    const { values } = parseArgs({ options });
    const numbers = names.map((name) => {
      const given = values[name];
      return [name, typeof given === 'string' ? wholeNumber(name, given) : defaults[name]];
    });
    const { profile } = values;
    return { ...Object.fromEntries(numbers), profile: typeof profile === 'string' ? profile : undefined };
  } catch (error) {
    process.stderr.write(
      `${(error as Error).message}\nOptions: --profile FOLDER, ${names.map((n) => `--${n} N`).join(', ')}\n`,
    );
    process.exit(2);
  }
}
