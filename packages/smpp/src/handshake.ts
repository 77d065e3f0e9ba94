import { COMMAND_ID } from './commands.ts';
import { encodeInto } from './encode.ts';
import type { Outbound } from './outbound.ts';
import type { Bare, Bind, BindResp } from './pdu.ts';
import type { BindCredentials } from './session-options.ts';
import { STATUS } from './status.ts';

/** Callbacks to the session that binds. */
interface BindSide {
  /** Whether the session waits for its bind. */
  isBinding(): boolean;
  /** SMSC: called with the bind that is to be accepted or refused. */
  asked(bind: Bind): void;
  bound(): void;
  refused(status: number): void;
}

/** The bind of one session (§4.1), from either side. */
export class Handshake<Context> {
  mode: BindCredentials['mode'] = 'transceiver';
  /** The peer's system_id. */
  systemId = '';
  readonly #role: 'esme' | 'smsc';
  readonly #out: Outbound<Context>;
  readonly #side: BindSide;
  #sequence = 0;
  #received: Bind | undefined;

  constructor(role: 'esme' | 'smsc', out: Outbound<Context>, side: BindSide) {
    this.#role = role;
    this.#out = out;
    this.#side = side;
  }

  /** ESME: sends the bind. */
  request({ mode, ...fields }: BindCredentials): void {
    this.mode = mode;
    this.#sequence = this.#out.control({ command: `bind_${mode}`, ...fields });
  }

  /** ESME: takes the response to our bind; a PDU that answers something else is ignored. */
  answered(pdu: BindResp | Bare): void {
    if (!this.#side.isBinding() || this.#role === 'smsc') return;
    if (pdu.sequence !== this.#sequence || this.#sequence === 0) return;
    this.#sequence = 0;
    const status = 'system_id' in pdu ? pdu.status : pdu.status || STATUS.RBINDFAIL;
    if ('system_id' in pdu) {
      this.systemId = pdu.system_id;
      // Carriers that omit the version accept TLVs in practice; only an explicit older version is believed.
      this.#out.withTlvs = (pdu.tlvs?.sc_interface_version ?? 0x34) >= 0x34;
    }
    if (status === STATUS.ROK) this.#side.bound();
    else this.#side.refused(status);
  }

  /** Takes a bind (SMSC); one out of turn is refused, as a second one. */
  received(bind: Bind): void {
    if (this.#role === 'esme' || !this.#side.isBinding() || this.#received !== undefined) {
      const status = this.#role === 'esme' ? STATUS.RINVBNDSTS : STATUS.RALYBND;
      this.#out.bareResponse(COMMAND_ID[`${bind.command}_resp`], bind.sequence, status);
      return;
    }
    this.#received = bind;
    this.mode = bind.command.slice('bind_'.length) as BindCredentials['mode'];
    this.systemId = bind.system_id;
    this.#out.withTlvs = bind.interface_version >= 0x34;
    this.#side.asked(bind);
  }

  /** SMSC: accepts the bind that was taken, if it was not answered. */
  accept(systemId: string): void {
    const bind = this.#take();
    if (bind === undefined) return;
    // Programs that speak SMPP 5.0 get version 5.0; requests beyond 3.4 are refused one by one.
    const tlvs = { sc_interface_version: bind.interface_version >= 0x50 ? 0x50 : 0x34 };
    encodeInto(
      this.#out.outbox.writer,
      { command: `${bind.command}_resp`, sequence: bind.sequence, system_id: systemId, tlvs },
      this.#out.withTlvs,
    );
    this.#out.outbox.added();
    this.#side.bound();
  }

  /** SMSC: refuses the bind that was taken, if it was not answered. */
  refuse(status: number): void {
    const bind = this.#take();
    if (bind === undefined) return;
    this.#out.bareResponse(COMMAND_ID[`${bind.command}_resp`], bind.sequence, status);
    this.#side.refused(status);
  }

  /** Answers the bind that waits for its answer, only once. */
  #take(): Bind | undefined {
    if (!this.#side.isBinding()) return undefined;
    const bind = this.#received;
    this.#received = undefined;
    return bind;
  }
}
