/** The command_status values of SMPP 3.4 (§5.1.3) by number, under the names by which reasons are kept and worded. */
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

/** No answer came. */
const NO_ANSWER = -1;

/**
 * The reason code of a command_status as the tables keep it, signed or not: its name, `no_answer` where none came, or
 * eight hexadecimal digits such as `0x00000450` for what SMPP 3.4 does not list.
 */
export function statusReason(commandStatus: number): string {
  if (commandStatus === NO_ANSWER) return 'no_answer';
  const status = commandStatus >>> 0;
  return NAMES[status] ?? `0x${status.toString(16).padStart(8, '0')}`;
}

/** One text of `carrier_error` and what fills its placeholder. */
export interface ReasonText {
  key: string;
  code?: string;
}

const HEXADECIMAL = /^0x([0-9a-f]{8})$/;
const [VENDOR_FIRST, VENDOR_LAST] = [0x400, 0x4ff];

/**
 * The texts of `carrier_error` that say a reason, in the order in which they are said: one for most; for a receipt's
 * `undeliverable:gsm-27` what became of the message, and then why.
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

/** What a person looks up: the code of a reason without our own words, which are no codes; '' where it has none. */
export function reasonCode(reason: string): string {
  const code = reason.slice(reason.indexOf(':') + 1);
  return /^[a-z_]+$/.test(code) ? '' : code;
}
