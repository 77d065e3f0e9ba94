let current: string | undefined;

/** The id of this tab's live connection, which calls carry so that their own events are not echoed back. */
export const socketId = () => current;

export function keepSocketId(id: string | undefined): void {
  current = id;
}
