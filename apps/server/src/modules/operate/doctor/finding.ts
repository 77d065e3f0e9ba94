/** What the doctor found out about one thing. */
export interface Finding {
  name: string;
  /** `warn` can wait for the morning; `bad` cannot. */
  state: 'ok' | 'warn' | 'bad';
  /** What is the case, as a sentence. */
  detail: string;
  /** What to do about it; of what is not well. */
  action?: string;
}

export type Found = Omit<Finding, 'name'>;

export const ok = (detail: string): Found => ({ state: 'ok', detail });
export const warn = (detail: string, action: string): Found => ({ state: 'warn', detail, action });
export const bad = (detail: string, action: string): Found => ({ state: 'bad', detail, action });

/** One thing to look at. Several findings of the same name where it has several parts; none where it does not apply. */
export interface Look {
  name: string;
  look(): Promise<Found | Found[] | undefined> | Found | Found[] | undefined;
  /** What to do where it does not answer; unset: it asks the database. */
  late?: string;
}

const PATIENCE_MS = 20_000;

/** Looks at things one after another; what throws, or takes longer than 20 s, is bad itself. Never rejects. */
export async function lookAtAll(looks: readonly Look[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, look, late: advice = 'See whether the database is overloaded.' } of looks) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Found>((answer) => {
      timer = setTimeout(() => answer(bad('There was no answer within 20 s.', advice)), PATIENCE_MS);
    });
    const found = await Promise.race([Promise.resolve().then(look), late]).catch((error: Error) =>
      bad(`It could not be looked at: ${error.message.split('\n')[0]}.`, 'See the line above it, and the log.'),
    );
    clearTimeout(timer);
    for (const each of found === undefined ? [] : [found].flat()) findings.push({ name, ...each });
  }
  return findings;
}
