declare module 'smpp' {
  import type { EventEmitter } from 'node:events';
  import type { Server } from 'node:net';
  import type { ConnectionOptions } from 'node:tls';
  export interface PeerPdu {
    command: string;
    command_status: number;
    sequence_number: number;
    message_id: string;
    source_addr: string;
    destination_addr: string;
    short_message: { message: string | Buffer; udh?: Buffer[] };
    receipted_message_id: string;
    message_state: number;
    system_id: string;
    esm_class: number;
    source_addr_ton: number;
    source_addr_npi: number;
    dest_addr_ton: number;
    dest_addr_npi: number;
    registered_delivery: number;
    data_coding: number;
    response(fields?: Record<string, unknown>): PeerPdu;
  }
  export interface PeerSession extends EventEmitter {
    send(pdu: PeerPdu): boolean;
    close(): void;
    destroy(): void;
    bind_transceiver(fields: Record<string, unknown>, answer: (pdu: PeerPdu) => void): void;
    submit_sm(fields: Record<string, unknown>, answer: (pdu: PeerPdu) => void): void;
    deliver_sm(fields: Record<string, unknown>, answer: (pdu: PeerPdu) => void): void;
    query_sm(fields: Record<string, unknown>, answer: (pdu: PeerPdu) => void): void;
    enquire_link(fields: Record<string, unknown>, answer: (pdu: PeerPdu) => void): void;
    unbind(fields: Record<string, unknown>, answer: (pdu: PeerPdu) => void): void;
  }
  const smpp: {
    createServer(listener: (session: PeerSession) => void): Server;
    connect(options: { host: string; port: number; tls?: boolean } & ConnectionOptions): PeerSession;
  };
  export default smpp;
}
