/** A stored file in a listing. */
export interface KeptFile {
  path: string;
  kept_at: Date;
}

/** File that can be read at random on this machine; a copy made for this purpose is removed at disposal. */
export interface LocalFile extends AsyncDisposable {
  path: string;
}

/**
 * Storage of files: one adapter for each kind. Paths are made by us (`folder/uuid.extension`), a file appears complete
 * or not at all, and none is ever changed. If it cannot be reached now, it throws `unavailable`, so that jobs are tried
 * again; a missing file is `not_found`.
 */
export interface FileStore {
  /** A folder of this machine, or of all that share it, for files that are being written. */
  readonly drafts: string;
  /** Stores the bytes of a local file under a path, in place of an older file, and uses the local file up. */
  keep(path: string, local: string): Promise<void>;
  /** Streams the bytes of a file; the stream fails at its end if they differ from the stored ones. */
  read(path: string): Promise<NodeJS.ReadableStream>;
  localCopy(path: string): Promise<LocalFile>;
  /** Answers the size of a file in octets; undefined if there is none. */
  size(path: string): Promise<number | undefined>;
  /** Removes a file; one that is not there is no fault. */
  remove(path: string): Promise<void>;
  /** The files of a folder in no order. */
  list(folder: string): AsyncIterable<KeptFile>;
  /** Removes files whose storing began before `before` and never ended, because the process died; answers how many. */
  endUnfinished(before: Date): Promise<number>;
}
