import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { BusinessError } from '../errors.ts';

/**
 * Bytes without a tag or a text after which XML is refused as an attack: the parser keeps unfinished input in memory.
 */
const MAX_QUIET_BYTES = 1 << 20;

/** Receiver of the parts of an XML document; names come without their prefixes. */
export interface XmlHandler {
  open(tag: SaxesTagPlain): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Parses XML piece by piece; a piece has been handled when it is yielded. Throws `file_unreadable`. */
export async function* parseXml(pieces: AsyncIterable<Buffer>, handler: XmlHandler): AsyncGenerator<void> {
  const parser = new SaxesParser();
  // Errors throw, so that reading stops at the first.
  parser.on('error', (error) => {
    throw new BusinessError('file_unreadable', { cause: error });
  });
  let quiet = 0;
  const text = (piece: string) => {
    quiet = 0;
    handler.text?.(piece);
  };
  parser.on('opentag', ({ name, attributes, isSelfClosing }) => {
    quiet = 0;
    handler.open({ name: localName(name), attributes, isSelfClosing });
  });
  parser.on('closetag', ({ name }) => {
    quiet = 0;
    handler.close?.(localName(name));
  });
  parser.on('text', text);
  parser.on('cdata', text);
  const decoder = new TextDecoder();
  for await (const piece of pieces) {
    quiet += piece.length;
    parser.write(decoder.decode(piece, { stream: true }));
    if (quiet > MAX_QUIET_BYTES) throw new BusinessError('file_unreadable');
    yield;
  }
  parser.close();
  yield;
}

/** Parses a whole document. */
export async function parseAll(pieces: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(pieces, handler));
}

/** A name without its namespace's prefix. */
export function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}
