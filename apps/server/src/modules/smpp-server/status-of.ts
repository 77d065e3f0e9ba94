import type { ErrorCode } from '@heliograph/contract/kernel/errors';
import { STATUS } from '@heliograph/smpp';
import { isTransient } from '#platform/database/transient-error';
import { BusinessError } from '#platform/errors';
import { Refusal } from './read-submit.ts';

/** SMPP statuses of business errors; all others are RSUBMITFAIL. */
const OF_CODE: Partial<Record<ErrorCode, number>> = {
  sender_not_allowed: STATUS.RINVSRCADR,
  sender_not_registered: STATUS.RINVSRCADR,
  template_required: STATUS.RX_R_APPN,
  text_too_long: STATUS.RINVMSGLEN,
  too_many_requests: STATUS.RTHROTTLED,
  no_route: STATUS.RX_T_APPN,
  destination_unavailable: STATUS.RX_T_APPN,
  // Programs pause after this status and send again, as after RTHROTTLED. After RSYSERR many give a message up.
  unavailable: STATUS.RMSGQFUL,
  idempotency_in_flight: STATUS.RMSGQFUL,
  changes_paused: STATUS.RMSGQFUL,
  internal_error: STATUS.RSYSERR,
};
const OF_FIELD: Readonly<Record<string, number>> = {
  from: STATUS.RINVSRCADR,
  to: STATUS.RINVDSTADR,
  send_at: STATUS.RINVSCHED,
  validity: STATUS.RINVEXPIRY,
  parameters: STATUS.RINVOPTPARAMVAL,
};

/**
 * Answers the command_status of an error. Errors that the program cannot correct are temporary, so that it sends again.
 */
export function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.status;
  if (!(error instanceof BusinessError)) return isTransient(error) ? OF_CODE.unavailable! : STATUS.RSYSERR;
  const [field = ''] = Object.keys(error.fields ?? {});
  return OF_CODE[error.code] ?? OF_FIELD[field] ?? STATUS.RSUBMITFAIL;
}
