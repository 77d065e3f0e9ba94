import type { AnswerMeaning } from '@heliograph/contract/links/http-mapping';
import { NO_STATUS, type Outcome, STATUS } from '@heliograph/smpp';
import type { Segment } from '../segment.ts';
import type { MessageAnswer } from './read-answer.ts';
import { referenceOf, storedId } from './reference.ts';

/** Status under which the platform records each meaning; those of SMPP, so that all links have the same words. */
const STATUS_OF = {
  accepted: STATUS.ROK,
  throttled: STATUS.RTHROTTLED,
  temporary: STATUS.RX_T_APPN,
  refused: STATUS.RSUBMITFAIL,
  refused_number: STATUS.RINVDSTADR,
  refused_sender: STATUS.RINVSRCADR,
  account: STATUS.RBINDFAIL,
  unknown: NO_STATUS,
} as const satisfies Record<AnswerMeaning, number>;

/** Makes an outcome without an answer. */
export const outcomeOf = (kind: Outcome<Segment>['kind'], context: Segment): Outcome<Segment> => ({
  kind,
  context,
  sequence: 0,
  status: NO_STATUS,
  message_id: '',
  pdu: undefined,
  took: 0,
});

/**
 * Makes the outcomes of one answer. `own` is true if the carrier gives no ID and repeats our reference instead; `late`
 * if the messages were reported as uncertain before.
 */
export function outcomesOf(
  answers: readonly MessageAnswer[],
  segments: readonly Segment[],
  { own, late, took }: { own: boolean; late: boolean; took: number },
): Outcome<Segment>[] {
  return answers.flatMap(({ means, id }, place): Outcome<Segment>[] => {
    const context = segments[place]!;
    if (means === 'unknown') return late ? [] : [outcomeOf('uncertain', context)];
    const reference = own ? referenceOf(context.message.id, context.part) : '';
    const message_id = means === 'accepted' ? storedId(id ?? reference) : '';
    const outcome = outcomeOf(late ? 'late' : 'answered', context);
    return [{ ...outcome, status: STATUS_OF[means], message_id, took: late ? 0 : took }];
  });
}
