import type Echo from 'laravel-echo';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { loadCounters } from './counters.ts';
import { readAgain } from './queries.ts';
import { useSession } from './session.ts';
import { keepSocketId } from './socket-id.ts';

/** State of the live connection, for the shell's notice. */
export const useLive = create<{ echo: Echo<'pusher'> | null; interrupted: boolean }>()(() => ({
  echo: null,
  interrupted: false,
}));

/** Delay before missed changes are read, in ms. Channels rejoin one after another, and one read serves them all. */
const TOGETHER_MS = 300;

let opening = false;

/** Opens the live connection once. The library behind it is loaded only then. */
export async function connectLive(onNotification: (notification: Record<string, unknown>) => void): Promise<void> {
  const { profile, pageConfigurations } = useSession.getState();
  if (opening || useLive.getState().echo || !profile || !pageConfigurations) return;
  opening = true;
  try {
    const { openEcho } = await import('./echo.ts');
    const echo = openEcho(pageConfigurations.broadcast_key);
    const { connection } = echo.connector.pusher;
    let connectedBefore = false;
    connection.bind('connected', () => {
      keepSocketId(echo.socketId());
      useLive.setState({ interrupted: false });
      connectedBefore = true;
    });
    connection.bind('state_change', ({ current }: { current: string }) => {
      if (current !== 'connected') keepSocketId(undefined);
      if (connectedBefore) useLive.setState({ interrupted: current !== 'connected' });
    });
    const own = echo.private(userChannel()).notification(onNotification);
    // Events before the first subscription were not received either.
    own.subscribed(afterJoining(() => void loadCounters()));
    useLive.setState({ echo });
  } finally {
    opening = false;
  }
}

let rereading: ReturnType<typeof setTimeout> | undefined;

/** Reads all shown data again, once for all channels that rejoin together. */
function reread(): void {
  if (rereading !== undefined) return;
  rereading = setTimeout(() => {
    rereading = undefined;
    void readAgain();
    void loadCounters();
  }, TOGETHER_MS);
}

/**
 * Returns the function to run each time a channel is joined. The first time it runs `first`. After an interruption it
 * reads again, because events were missed until now. A channel is joined only some time after the connection stands.
 */
function afterJoining(first?: () => void): () => void {
  let joined = false;
  return () => {
    if (joined) reread();
    else first?.();
    joined = true;
  };
}

/** Closes the live connection, at sign-out. */
export function disconnectLive(): void {
  useLive.getState().echo?.disconnect();
  keepSocketId(undefined);
  useLive.setState({ echo: null, interrupted: false });
}

/** Number of components that listen to each channel; the last one leaves it. */
const listeners = new Map<string, number>();

/**
 * Listens to an event of a private channel, such as `campaign.7`, while the component is shown. Event names that begin
 * with a dot are used as they are; others get the namespace App.Events. `onJoined` runs when the channel is first
 * joined: events between reading a page and that moment were missed.
 */
export function useChannel<Payload>(
  channel: string | null,
  event: string,
  handler: (payload: Payload) => void,
  onJoined?: () => void,
): void {
  const echo = useLive((s) => s.echo);
  const latest = useRef(handler);
  latest.current = handler;
  const joining = useRef(onJoined);
  joining.current = onJoined;
  useEffect(() => {
    if (!echo || channel === null) return;
    const listener = (payload: Payload) => latest.current(payload);
    const joined = echo.private(channel).listen(event, listener);
    joined.subscribed(afterJoining(() => joining.current?.()));
    listeners.set(channel, (listeners.get(channel) ?? 0) + 1);
    return () => {
      joined.stopListening(event, listener);
      const left = listeners.get(channel)! - 1;
      listeners.set(channel, left);
      if (left === 0 && channel !== userChannel()) echo.leave(channel);
    };
  }, [echo, channel, event]);
}

/** Returns the channel of the user's own notifications. It stays joined for the whole session. */
export const userChannel = () => `App.Models.User.${useSession.getState().profile?.id}`;
