import type { Command } from './commands.ts';
import type { BindCredentials } from './session-options.ts';

type Direction = 'transmitter' | 'receiver';

/** Bind that each role needs to receive a request (§2.2, table 2-1); a request missing here is never allowed. */
const NEEDS: Record<'esme' | 'smsc', Partial<Record<Command, Direction>>> = {
  smsc: {
    submit_sm: 'transmitter',
    submit_multi: 'transmitter',
    data_sm: 'transmitter',
    query_sm: 'transmitter',
    cancel_sm: 'transmitter',
    replace_sm: 'transmitter',
  },
  esme: { deliver_sm: 'receiver', data_sm: 'receiver', alert_notification: 'receiver' },
};

/** Answers whether a role may receive a request under a bind; `mode` is undefined while nothing is bound. */
export function mayReceive(
  role: 'esme' | 'smsc',
  command: Command,
  mode: BindCredentials['mode'] | undefined,
): boolean {
  if (command === 'outbind') return role === 'esme' && mode === undefined;
  const needs = NEEDS[role][command];
  return needs !== undefined && mode !== undefined && (mode === 'transceiver' || mode === needs);
}
