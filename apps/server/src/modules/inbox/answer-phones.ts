import { countParts, MAX_PARTS } from '@heliograph/contract/kernel/segments';
import { type Kysely, sql } from 'kysely';
import { readBlockedWords, shortLinkHost } from '#modules/campaigns';
import { optedOut } from '#modules/contacts';
import { readWebRules, type WebCheck } from '#modules/moderation';
import { readTemplateRules } from '#modules/templates';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { sealedWith, type TextKey } from '#platform/text/sealed-text';
import { type Answering, type Said, sendAnswers } from './send-answer.ts';

/** Text that answers a phone automatically. */
export interface Answer extends Answering, Said {
  /** Confirms an opt-out or its end. It is sent although the phone opted out, and however often the phone wrote. */
  confirms_opt_out: boolean;
}

/** Result of an answer, as columns of the message that it answers. */
export interface Answered {
  reply_message: string | null;
  /** Reason why no answer was sent: a code of the error catalog, or of a check. */
  reply_error: string | null;
  sent_message_id: number | null;
  replied_at: string | null;
}

/** Returns a result as it is stored: with its answer encrypted if there is a key for it. */
export const withSealedReply = (answered: Answered, key: TextKey | undefined, inboundId: number): Answered =>
  answered.reply_message === null
    ? answered
    : { ...answered, reply_message: sealedWith(key, `r${inboundId}`, answered.reply_message) };

/** Maximum automatic answers to a phone within the minutes below. It stops two machines that answer each other. */
const MOST_ANSWERS = 5;
const WITHIN_MINUTES = 10;

const RECENT = (pairs: string) => sql<{ corporation_id: number; oa: string; answers: number }>`
  SELECT w.corporation_id, w.oa, (
    SELECT count(*) FROM (
      SELECT i.reply_message, i.replied_by, i.replied_at FROM inbox_message i
      WHERE i.corporation_id = w.corporation_id AND i.oa = w.oa ORDER BY i.id DESC LIMIT 50
    ) r WHERE r.reply_message IS NOT NULL AND r.replied_by IS NULL
      AND r.replied_at > now() - ${sql.lit(`${WITHIN_MINUTES} minutes`)}::interval
  ) AS answers
  FROM jsonb_to_recordset(${pairs}::jsonb) AS w(corporation_id bigint, oa text)`;

/**
 * Queues automatic answers in the caller's transaction, and returns the result of each. If an answer cannot be paid or
 * sent, its result holds the reason. A phone that opted out, was answered too often recently or is no phone number gets
 * no answer and has no result.
 */
export async function answerPhones(
  db: Kysely<Database>,
  { clock, config }: Pick<WorkerContext, 'clock' | 'config'>,
  answers: readonly Answer[],
): Promise<Map<Answer, Answered>> {
  const answered = new Map<Answer, Answered>();
  const due: Answer[] = [];
  const allowed = await permitted(
    db,
    answers.filter(({ msisdn }) => /^\d{4,15}$/.test(msisdn)),
  );
  if (allowed.length === 0) return answered;
  const blocked = await readBlockedWords(db);
  const rules = await readWebRules(db, [shortLinkHost(config)]);
  const templates = await readTemplateRules(db);
  for (const answer of allowed) {
    // An answer that is refused does not hold up the others. The confirmation of an opt-out is our own sentence and
    // must be sent.
    if (countParts(answer.text).parts > MAX_PARTS) answered.set(answer, refusedBy('text_too_long'));
    else if (!answer.confirms_opt_out && blocked(answer.text)) answered.set(answer, refusedBy('blocked_text'));
    else if (!answer.confirms_opt_out && hasWebRefusal(rules.of(answer.corporation_id, answer.sender), answer.text))
      answered.set(answer, refusedBy('web_link'));
    else if (
      !answer.confirms_opt_out &&
      templates.of(answer.corporation_id, answer.sender)?.passes(answer.text) === false
    )
      answered.set(answer, refusedBy('no_template'));
    else due.push(answer);
  }
  const alike = Map.groupBy(due, ({ corporation_id, department_id, user_id, sender, confirms_opt_out }) =>
    JSON.stringify([corporation_id, department_id, user_id, sender, confirms_opt_out]),
  );
  const replied_at = clock.now().toISOString();
  for (const group of alike.values()) {
    const sent = await guarded(db, () => sendAnswers(db, { clock, config }, group[0]!, group));
    for (const [place, answer] of group.entries())
      answered.set(
        answer,
        sent instanceof BusinessError
          ? refusedBy(sent.code)
          : { reply_message: answer.text, reply_error: null, sent_message_id: sent.ids[place]!, replied_at },
      );
  }
  return answered;
}

const refusedBy = (code: string): Answered => ({
  reply_message: null,
  reply_error: code,
  sent_message_id: null,
  replied_at: null,
});

async function permitted(db: Kysely<Database>, answers: readonly Answer[]): Promise<Answer[]> {
  if (answers.length === 0) return [];
  const pairs = answers.map(({ corporation_id, msisdn }) => ({ corporation_id, oa: msisdn }));
  const { rows } = await RECENT(JSON.stringify(pairs)).execute(db);
  const counts = new Map(rows.map(({ corporation_id, oa, answers: count }) => [`${corporation_id} ${oa}`, count]));
  const out = new Map<number, Set<string>>();
  for (const [id, group] of Map.groupBy(answers, ({ corporation_id }) => corporation_id))
    out.set(
      id,
      await optedOut(
        db,
        id,
        group.map(({ msisdn }) => msisdn),
      ),
    );
  return answers.filter(({ corporation_id, msisdn, confirms_opt_out }) => {
    const key = `${corporation_id} ${msisdn}`;
    if (confirms_opt_out) return true;
    if (out.get(corporation_id)?.has(msisdn)) return false;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count < MOST_ANSWERS;
  });
}

/** Runs work in a savepoint. If it throws a BusinessError, its changes are undone and the error is returned. */
async function guarded<Result>(db: Kysely<Database>, work: () => Promise<Result>): Promise<Result | BusinessError> {
  await sql`SAVEPOINT answer`.execute(db);
  try {
    const result = await work();
    await sql`RELEASE SAVEPOINT answer`.execute(db);
    return result;
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error;
    await sql`ROLLBACK TO SAVEPOINT answer`.execute(db);
    return error;
  }
}

const hasWebRefusal = (web: WebCheck | null, text: string) => web?.enforced === true && web.find(text) !== null;
