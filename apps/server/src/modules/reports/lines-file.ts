import { type FileHandle, open } from 'node:fs/promises';

/** File that grows in pieces. Another process can continue it after its writer died. */
export class LinesFile {
  readonly #file: FileHandle;
  /** Length of the file. */
  octets: number;

  private constructor(file: FileHandle, octets: number) {
    this.#file = file;
    this.octets = octets;
  }

  /**
   * Opens a file that only its owner may read, cut to `octets`. It is empty if `octets` is null or beyond the file's
   * end.
   */
  static async open(path: string, octets: number | null): Promise<LinesFile> {
    const file = await open(path, 'a', 0o600);
    const { size } = await file.stat();
    const kept = octets !== null && size >= octets ? octets : 0;
    await file.truncate(kept);
    return new LinesFile(file, kept);
  }

  async write(piece: Buffer): Promise<void> {
    await this.#file.appendFile(piece);
    this.octets += piece.length;
  }

  /** Makes the written data survive a crash of the machine. */
  flush = (): Promise<void> => this.#file.datasync();

  close = (): Promise<void> => this.#file.close();
}
