/** command_status values of SMPP 3.4 (§5.1.3), without the ESME_ prefix. */
export const STATUS = {
  ROK: 0x00000000,
  RINVMSGLEN: 0x00000001,
  RINVCMDLEN: 0x00000002,
  RINVCMDID: 0x00000003,
  RINVBNDSTS: 0x00000004,
  RALYBND: 0x00000005,
  RINVPRTFLG: 0x00000006,
  RINVREGDLVFLG: 0x00000007,
  RSYSERR: 0x00000008,
  RINVSRCADR: 0x0000000a,
  RINVDSTADR: 0x0000000b,
  RINVMSGID: 0x0000000c,
  RBINDFAIL: 0x0000000d,
  RINVPASWD: 0x0000000e,
  RINVSYSID: 0x0000000f,
  RCANCELFAIL: 0x00000011,
  RREPLACEFAIL: 0x00000013,
  RMSGQFUL: 0x00000014,
  RINVSERTYP: 0x00000015,
  RINVNUMDESTS: 0x00000033,
  RINVDLNAME: 0x00000034,
  RINVDESTFLAG: 0x00000040,
  RINVSUBREP: 0x00000042,
  RINVESMCLASS: 0x00000043,
  RCNTSUBDL: 0x00000044,
  RSUBMITFAIL: 0x00000045,
  RINVSRCTON: 0x00000048,
  RINVSRCNPI: 0x00000049,
  RINVDSTTON: 0x00000050,
  RINVDSTNPI: 0x00000051,
  RINVSYSTYP: 0x00000053,
  RINVREPFLAG: 0x00000054,
  RINVNUMMSGS: 0x00000055,
  RTHROTTLED: 0x00000058,
  RINVSCHED: 0x00000061,
  RINVEXPIRY: 0x00000062,
  RINVDFTMSGID: 0x00000063,
  RX_T_APPN: 0x00000064,
  RX_P_APPN: 0x00000065,
  RX_R_APPN: 0x00000066,
  RQUERYFAIL: 0x00000067,
  RINVOPTPARSTREAM: 0x000000c0,
  ROPTPARNOTALLWD: 0x000000c1,
  RINVPARLEN: 0x000000c2,
  RMISSINGOPTPARAM: 0x000000c3,
  RINVOPTPARAMVAL: 0x000000c4,
  RDELIVERYFAILURE: 0x000000fe,
  RUNKNOWNERR: 0x000000ff,
} as const;

export type StatusName = keyof typeof STATUS;

/**
 * Reaction of a sender to an answer:
 * - accepted: the carrier took the message.
 * - throttle: the link is too fast or the carrier's queue is full; pause the link, then send again.
 * - retry: a temporary fault of the carrier; send this message again later.
 * - refuse: this message will never be taken.
 * - stop_link: the bind or account is wrong; sending more only repeats the fault.
 */
export type StatusKind = 'accepted' | 'retry' | 'throttle' | 'refuse' | 'stop_link';

/**
 * Meaning of each answer to submit_sm. If the standard leaves it open, the message is refused rather than tried
 * forever. Only a temporary fault is tried again, and only a fault of the bind or the account stops the link.
 */
const KIND: Readonly<Record<StatusName, StatusKind>> = {
  ROK: 'accepted',
  RINVMSGLEN: 'refuse',
  RINVCMDLEN: 'refuse',
  // The carrier does not support submit_sm: no message would be taken on this bind.
  RINVCMDID: 'stop_link',
  RINVBNDSTS: 'stop_link',
  RALYBND: 'stop_link',
  RINVPRTFLG: 'refuse',
  RINVREGDLVFLG: 'refuse',
  RSYSERR: 'retry',
  RINVSRCADR: 'refuse',
  RINVDSTADR: 'refuse',
  RINVMSGID: 'refuse',
  RBINDFAIL: 'stop_link',
  RINVPASWD: 'stop_link',
  RINVSYSID: 'stop_link',
  RCANCELFAIL: 'refuse',
  RREPLACEFAIL: 'refuse',
  RMSGQFUL: 'throttle',
  RINVSERTYP: 'refuse',
  RINVNUMDESTS: 'refuse',
  RINVDLNAME: 'refuse',
  RINVDESTFLAG: 'refuse',
  RINVSUBREP: 'refuse',
  RINVESMCLASS: 'refuse',
  RCNTSUBDL: 'refuse',
  RSUBMITFAIL: 'refuse',
  RINVSRCTON: 'refuse',
  RINVSRCNPI: 'refuse',
  RINVDSTTON: 'refuse',
  RINVDSTNPI: 'refuse',
  RINVSYSTYP: 'stop_link',
  RINVREPFLAG: 'refuse',
  RINVNUMMSGS: 'refuse',
  RTHROTTLED: 'throttle',
  RINVSCHED: 'refuse',
  RINVEXPIRY: 'refuse',
  RINVDFTMSGID: 'refuse',
  RX_T_APPN: 'retry',
  RX_P_APPN: 'refuse',
  RX_R_APPN: 'refuse',
  RQUERYFAIL: 'refuse',
  RINVOPTPARSTREAM: 'refuse',
  ROPTPARNOTALLWD: 'refuse',
  RINVPARLEN: 'refuse',
  RMISSINGOPTPARAM: 'refuse',
  RINVOPTPARAMVAL: 'refuse',
  RDELIVERYFAILURE: 'refuse',
  RUNKNOWNERR: 'refuse',
};

const NAME_OF = new Map<number, StatusName>(
  (Object.entries(STATUS) as [StatusName, number][]).map(([name, value]) => [value, name]),
);

/** Answers the name of a status: `ESME_RTHROTTLED` for 0x58; an unlisted value as `0x00000450`. */
export function statusName(status: number): string {
  const name = NAME_OF.get(status);
  return name ? `ESME_${name}` : `0x${(status >>> 0).toString(16).padStart(8, '0')}`;
}

/**
 * Answers the kind of an answer. Every status that SMPP 3.4 does not list is `refuse`, because repeating it may loop.
 * These are the reserved ranges, the carrier's own codes (0x400..0x4FF) and all above.
 */
export function statusKind(status: number): StatusKind {
  const name = NAME_OF.get(status);
  return name ? KIND[name] : 'refuse';
}

/** Answers whether a bind will be refused again until a person changes the credentials or the account. */
export const isPermanentBindRefusal = (status: number): boolean =>
  status === STATUS.RINVPASWD || status === STATUS.RINVSYSID || status === STATUS.RBINDFAIL;
