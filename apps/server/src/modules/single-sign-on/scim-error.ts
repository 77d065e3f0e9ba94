/** Reasons of a 400 or 409 answer by RFC 7644, table 9. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness';

/** Refusal of a directory's call, as RFC 7644, section 3.12 words it. The text is for the directory's administrator. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

/** Makes the refusal of a value. `attribute` is the path at which it was sent. */
export const wrongValue = (attribute: string, detail: string): ScimError =>
  new ScimError(400, `${attribute}: ${detail}`, 'invalidValue');
