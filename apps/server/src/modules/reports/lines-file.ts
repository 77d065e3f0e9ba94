import { type FileHandle, open } from 'node:fs/promises';

/** A file that grows by pieces and can be gone on with after whatever death of its writer. */
export class LinesFile {
  readonly #file: FileHandle;
  /** How long it is. */
  octets: number;

  private constructor(file: FileHandle, octets: number) {
    this.#file = file;
    this.octets = octets;
  }

  /** Opens a file that only its owner may read, cut to `octets`; empty where they are null or do not stand any more. */
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

  /** What was written survives the death of the machine from here on. */
  flush = (): Promise<void> => this.#file.datasync();

  close = (): Promise<void> => this.#file.close();
}
