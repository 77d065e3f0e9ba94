const DAY_MS = 86_400_000;
/** Age in ms of the youngest removed days; older partitions were removed on purpose, so none is made for them. */
const YOUNGEST_REMOVED_MS = 2 * DAY_MS;
/** Bits of an id below its UTC day: of a message, and of a chunk. */
const BITS = { message: 38, chunk: 28 } as const;

interface DatabaseFault {
  code?: string;
  message?: string;
  detail?: string;
  table?: string;
  constraint?: string;
}

/** Answers the UTC day whose partition an error of PostgreSQL misses; undefined for any other error. */
export function missingDay(error: unknown): Date | undefined {
  const day = dayOfTable(error as DatabaseFault) ?? dayOfRow(error as DatabaseFault);
  return day !== undefined && day.getTime() > Date.now() - YOUNGEST_REMOVED_MS ? day : undefined;
}

/** Reads the day of a partition that the error itself names. */
function dayOfTable({ code, message }: DatabaseFault): Date | undefined {
  const [, year, month, day] = (code === '42P01' && /_(\d{4})(\d\d)(\d\d)\W/.exec(message ?? '')) || [];
  return year ? valid(Date.UTC(Number(year), Number(month) - 1, Number(day))) : undefined;
}

/** Reads the day of a row without a partition in its table. A broken CHECK differs: it has a name. */
function dayOfRow({ code, constraint, detail = '' }: DatabaseFault): Date | undefined {
  if (code !== '23514' || constraint !== undefined) return undefined;
  const [, column, value] = /\((\w+)\) = \(([^)]*)\)/.exec(detail) ?? [];
  if (!column || !value) return new Date();
  if (/^\d+$/.test(value)) {
    const bits = column === 'chunk_id' ? BITS.chunk : BITS.message;
    return valid(Math.floor(Number(value) / 2 ** bits) * DAY_MS);
  }
  return valid(Date.parse(value));
}

const valid = (at: number): Date | undefined => (Number.isFinite(at) && Math.abs(at) < 8e15 ? new Date(at) : undefined);
