/**
 * Names of the command_status values of SMPP 3.4 (§5.1.3) by number. Reasons are stored and worded under these names.
 */
const NAMES: Readonly<Record<number, string>> = {
  0: 'ESME_ROK',
  1: 'ESME_RINVMSGLEN',
  2: 'ESME_RINVCMDLEN',
  3: 'ESME_RINVCMDID',
  4: 'ESME_RINVBNDSTS',
  5: 'ESME_RALYBND',
  6: 'ESME_RINVPRTFLG',
  7: 'ESME_RINVREGDLVFLG',
  8: 'ESME_RSYSERR',
  10: 'ESME_RINVSRCADR',
  11: 'ESME_RINVDSTADR',
  12: 'ESME_RINVMSGID',
  13: 'ESME_RBINDFAIL',
  14: 'ESME_RINVPASWD',
  15: 'ESME_RINVSYSID',
  17: 'ESME_RCANCELFAIL',
  19: 'ESME_RREPLACEFAIL',
  20: 'ESME_RMSGQFUL',
  21: 'ESME_RINVSERTYP',
  51: 'ESME_RINVNUMDESTS',
  52: 'ESME_RINVDLNAME',
  64: 'ESME_RINVDESTFLAG',
  66: 'ESME_RINVSUBREP',
  67: 'ESME_RINVESMCLASS',
  68: 'ESME_RCNTSUBDL',
  69: 'ESME_RSUBMITFAIL',
  72: 'ESME_RINVSRCTON',
  73: 'ESME_RINVSRCNPI',
  80: 'ESME_RINVDSTTON',
  81: 'ESME_RINVDSTNPI',
  83: 'ESME_RINVSYSTYP',
  84: 'ESME_RINVREPFLAG',
  85: 'ESME_RINVNUMMSGS',
  88: 'ESME_RTHROTTLED',
  97: 'ESME_RINVSCHED',
  98: 'ESME_RINVEXPIRY',
  99: 'ESME_RINVDFTMSGID',
  100: 'ESME_RX_T_APPN',
  101: 'ESME_RX_P_APPN',
  102: 'ESME_RX_R_APPN',
  103: 'ESME_RQUERYFAIL',
  192: 'ESME_RINVOPTPARSTREAM',
  193: 'ESME_ROPTPARNOTALLWD',
  194: 'ESME_RINVPARLEN',
  195: 'ESME_RMISSINGOPTPARAM',
  196: 'ESME_RINVOPTPARAMVAL',
  254: 'ESME_RDELIVERYFAILURE',
  255: 'ESME_RUNKNOWNERR',
};

/** Stored status of a request without an answer. */
const NO_ANSWER = -1;

/**
 * Returns the reason code of a command_status as the tables store it, signed or not. It is its name, `no_answer` if no
 * answer came, or eight hexadecimal digits such as `0x00000450` for a value that SMPP 3.4 does not list.
 */
export function statusReason(commandStatus: number): string {
  if (commandStatus === NO_ANSWER) return 'no_answer';
  const status = commandStatus >>> 0;
  return NAMES[status] ?? `0x${status.toString(16).padStart(8, '0')}`;
}

/** Key of a text of `carrier_error`, and the code for its placeholder. */
export interface ReasonText {
  key: string;
  code?: string;
}

const HEXADECIMAL = /^0x([0-9a-f]{8})$/;
const [VENDOR_FIRST, VENDOR_LAST] = [0x400, 0x4ff];

/**
 * Returns the texts of `carrier_error` for a reason, in the order in which they are shown. Most reasons have one text.
 * A receipt's `undeliverable:gsm-27` has two: the state of the message, then the cause.
 */
export function reasonTexts(reason: string): ReasonText[] {
  const status = HEXADECIMAL.exec(reason);
  if (status) {
    const number = Number.parseInt(status[1]!, 16);
    return [{ key: number >= VENDOR_FIRST && number <= VENDOR_LAST ? 'vendor' : 'reserved', code: reason }];
  }
  const colon = reason.indexOf(':');
  if (colon < 0) return [{ key: reason, code: reason }];
  const error = reason.slice(colon + 1);
  return [{ key: reason.slice(0, colon) }, { key: error.replace(/^gsm-/, 'gsm_'), code: error.replace(/^gsm-/, '') }];
}

/** Returns the carrier's code in a reason, for a person to look up. Our own words are no codes; '' if there is none. */
export function reasonCode(reason: string): string {
  const code = reason.slice(reason.indexOf(':') + 1);
  return /^[a-z_]+$/.test(code) ? '' : code;
}
