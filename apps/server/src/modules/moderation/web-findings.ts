import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import type { Logger } from '#platform/log';
import { namedHost, registered, type WebCheck, type WebRefusal } from './web-rules.ts';

const DELAY_MS = 1_000;
/** Maximum domains that are counted apart in one write; a text for each recipient may have a domain of its own. */
const MOST = 500;

interface Finding {
  corporation_id: number;
  sender_id: string;
  domain: string;
  reason: string;
  refused: boolean;
  messages: number;
}

/** Counts of web addresses that broke the rules, until they are written. */
export class WebFindings {
  readonly #found = new Map<string, Finding>();

  get isEmpty(): boolean {
    return this.#found.size === 0;
  }

  /** Asks the rules about a text and counts what they find. Returns the refusal if they are in force. */
  check(rules: WebCheck, text: string): WebRefusal | null {
    const found = rules.find(text);
    if (!found) return null;
    this.#add(rules, found);
    return rules.enforced ? found : null;
  }

  #add({ corporation_id, sender, enforced }: WebCheck, { reason, host }: WebRefusal): void {
    const domain = namedHost(registered(host)).slice(0, 300);
    const key = `${corporation_id} ${reason} ${enforced} ${domain} ${sender}`;
    const known = this.#found.get(key);
    if (known) known.messages++;
    else if (this.#found.size < MOST)
      this.#found.set(key, { corporation_id, sender_id: sender, domain, reason, refused: enforced, messages: 1 });
  }

  /** Adds the counts to those of today in the caller's transaction; each stands for `times` messages. */
  async write(db: Kysely<Database>, times = 1): Promise<void> {
    // In a fixed order, so that two processes never wait for each other in a circle.
    const rows = [...this.#found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
    this.#found.clear();
    if (rows.length === 0) return;
    await sql`
      INSERT INTO web_link (corporation_id, sender_id, domain, reason, refused, messages)
      SELECT corporation_id, sender_id, domain, reason, refused, messages * ${times}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS f(corporation_id bigint, sender_id text, domain text, reason text, refused boolean, messages bigint)
      ON CONFLICT ON CONSTRAINT web_link_key
        DO UPDATE SET messages = web_link.messages + excluded.messages, last_at = now()`.execute(db);
  }
}

/** Counts of a process that handles many texts. They are written together, a second after the first. */
export class LateFindings {
  readonly #db: Kysely<Database>;
  readonly #log: Logger;
  readonly findings = new WebFindings();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Kysely<Database>, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** Plans a write if something was counted. */
  plan(): void {
    if (this.#timer || this.findings.isEmpty) return;
    this.#timer = setTimeout(() => void this.flush(), DELAY_MS);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.findings.write(this.#db).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'could not count web links');
    });
  }
}
