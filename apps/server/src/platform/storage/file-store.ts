/** A stored file in a listing. */
export interface KeptFile {
  path: string;
  kept_at: Date;
}

/** A file to be read at random on this machine; what was made for that goes when it is let go of. */
export interface LocalFile extends AsyncDisposable {
  path: string;
}

/**
 * Where stored files are kept: one adapter a kind of storage. Paths are made by us (`folder/uuid.extension`), a file appears
 * whole or not at all, and none is ever changed. What cannot be reached now is thrown as `unavailable`, so that jobs are
 * tried again; a file that is not there is `not_found`.
 */
export interface FileStore {
  /** A folder of this machine, or of all that share it, for files that are being written. */
  readonly drafts: string;
  /** Keeps the bytes of a local file under a path, in place of what is there, and uses the local file up. */
  keep(path: string, local: string): Promise<void>;
  /** The bytes of a file; the stream fails at its end where they are not those that were kept. */
  read(path: string): Promise<NodeJS.ReadableStream>;
  localCopy(path: string): Promise<LocalFile>;
  /** How long a file is, in octets; undefined where there is none. */
  size(path: string): Promise<number | undefined>;
  /** Removes a file; one that is not there is no fault. */
  remove(path: string): Promise<void>;
  /** The files of a folder in no order. */
  list(folder: string): AsyncIterable<KeptFile>;
  /** Gives up what was begun to be kept before then and never finished, by a process that died; answers how many. */
  endUnfinished(before: Date): Promise<number>;
}
