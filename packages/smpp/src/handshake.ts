import { COMMAND_ID } from './commands.ts';
import { encodeInto } from './encode.ts';
import type { Outbound } from './outbound.ts';
import type { Bare, Bind, BindResp } from './pdu.ts';
import type { BindCredentials } from './session-options.ts';
import { STATUS } from './status.ts';

/** The bind of one session (§4.1), from either side. */
export class Handshake<Context> {
  mode: BindCredentials['mode'] = 'transceiver';
  /** The peer's system_id. */
  systemId = '';
  readonly #out: Outbound<Context>;
  #sequence = 0;
  #received: Bind | undefined;

  constructor(out: Outbound<Context>) {
    this.#out = out;
  }

  /** ESME: sends the bind. */
  request({ mode, ...fields }: BindCredentials): void {
    this.mode = mode;
    this.#sequence = this.#out.control({ command: `bind_${mode}`, ...fields });
  }

  /** ESME: answers the status of the response to our bind; undefined if the PDU answers something else. */
  answered(pdu: BindResp | Bare): number | undefined {
    if (pdu.sequence !== this.#sequence || this.#sequence === 0) return undefined;
    this.#sequence = 0;
    if (!('system_id' in pdu)) return pdu.status || STATUS.RBINDFAIL;
    this.systemId = pdu.system_id;
    // Carriers that omit the version accept TLVs in practice; only an explicit older version is believed.
    this.#out.withTlvs = (pdu.tlvs?.sc_interface_version ?? 0x34) >= 0x34;
    return pdu.status;
  }

  /** SMSC: takes a bind. A bind out of turn is refused as a second one, and false is returned. */
  received(bind: Bind, inTurn: boolean, outOfTurnStatus: number): boolean {
    if (!inTurn || this.#received !== undefined) {
      this.#out.bareResponse(COMMAND_ID[`${bind.command}_resp`], bind.sequence, outOfTurnStatus);
      return false;
    }
    this.#received = bind;
    this.mode = bind.command.slice('bind_'.length) as BindCredentials['mode'];
    this.systemId = bind.system_id;
    this.#out.withTlvs = bind.interface_version >= 0x34;
    return true;
  }

  /** SMSC: answers the bind that was taken; false if there is none, or it was answered. */
  answer(status: number, systemId = ''): boolean {
    const bind = this.#received;
    if (bind === undefined) return false;
    this.#received = undefined;
    const command = `${bind.command}_resp` as const;
    if (status !== STATUS.ROK) {
      this.#out.bareResponse(COMMAND_ID[command], bind.sequence, status);
      return true;
    }
    // Programs that speak SMPP 5.0 get version 5.0; requests beyond 3.4 are refused one by one.
    const tlvs = { sc_interface_version: bind.interface_version >= 0x50 ? 0x50 : 0x34 };
    encodeInto(
      this.#out.outbox.writer,
      { command, sequence: bind.sequence, system_id: systemId, tlvs },
      this.#out.withTlvs,
    );
    this.#out.outbox.added();
    return true;
  }
}
