/** Log that the database's start and a restore tell what they do. */
export interface Log {
  info(message: string): void;
}
