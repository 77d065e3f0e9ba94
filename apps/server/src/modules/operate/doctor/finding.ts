/** Result of the doctor's check of one thing. */
export interface Finding {
  name: string;
  /** `warn` can wait until the morning; `bad` cannot. */
  state: 'ok' | 'warn' | 'bad';
  /** State that was found, as a sentence. */
  detail: string;
  /** Action that mends it; set if something is wrong. */
  action?: string;
}

export type Found = Omit<Finding, 'name'>;

export const ok = (detail: string): Found => ({ state: 'ok', detail });
export const warn = (detail: string, action: string): Found => ({ state: 'warn', detail, action });
export const bad = (detail: string, action: string): Found => ({ state: 'bad', detail, action });

/**
 * Check of one thing. It answers several findings of the same name if the thing has several parts; none if it does not
 * apply.
 */
export interface Look {
  name: string;
  look(): Promise<Found | Found[] | undefined> | Found | Found[] | undefined;
  /** Action if it does not answer; unset: the check asks the database. */
  late?: string;
}

const PATIENCE_MS = 20_000;

/** Runs checks one after another. A check that throws, or takes longer than 20 s, counts as bad. Never rejects. */
export async function lookAtAll(looks: readonly Look[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, look, late: advice = 'Check whether the database is overloaded.' } of looks) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Found>((answer) => {
      timer = setTimeout(() => answer(bad('No answer within 20 s.', advice)), PATIENCE_MS);
    });
    const found = await Promise.race([Promise.resolve().then(look), late]).catch((error: Error) =>
      bad(`This check failed: ${error.message.split('\n')[0]}.`, 'Read the lines above, and the log.'),
    );
    clearTimeout(timer);
    for (const each of found === undefined ? [] : [found].flat()) findings.push({ name, ...each });
  }
  return findings;
}
