let current: string | undefined;

/** Returns the id of this tab's live connection. Calls carry it so that their own events are not echoed back. */
export const socketId = () => current;

export function keepSocketId(id: string | undefined): void {
  current = id;
}
