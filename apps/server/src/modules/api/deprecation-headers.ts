import type { Deprecation } from '@heliograph/contract/kernel/public-operation';

/** Article of the guide about changes of the public API. */
const CHANGES = '/document/0?article=api-changes';

/** Returns the headers of every answer of a call that will go away (RFC 9745, RFC 8594). */
export const deprecationHeaders = ({ since, sunset }: Deprecation): Record<string, string> => ({
  deprecation: `@${Date.parse(since) / 1_000}`,
  sunset: new Date(sunset).toUTCString(),
  link: `<${CHANGES}>; rel="deprecation"; type="text/html"`,
});
