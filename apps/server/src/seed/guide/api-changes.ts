import { API_CHANGES } from '@heliograph/contract/api/changes';
import { PUBLIC_OPERATIONS } from '@heliograph/contract/api/operations';

const CALLS = new Map(PUBLIC_OPERATIONS.map((o) => [o.name, o]));

/** Writes a call as its method and path, with what it is for. */
function written(name: string): string {
  const { method, path, summary } = CALLS.get(name)!;
  return `\`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}\`: ${summary}`;
}

/** Writes the article about the changes of the public API, as Markdown. */
export function apiChanges(): string {
  const deprecated = PUBLIC_OPERATIONS.filter((o) => o.deprecated !== null).map(
    ({ name, deprecated }) => `- ${written(name)}. Use ${written(deprecated!.instead)}, before ${deprecated!.sunset}.`,
  );
  const days = API_CHANGES.map(
    ({ day, added, extended }) =>
      `## ${day}\n\n${[...extended.map((each) => `- ${each}`), ...added.map((name) => `- New: ${written(name)}`)].join('\n')}`,
  );
  return `# API: changes

What your programs use stays. New calls, new fields of answers, new optional fields of requests and new types of events may
come at any time, so let your programs ignore what they do not know.

A call that is to go away works for at least half a year more. Each of its answers then has three headers:
\`Deprecation\` says since when it should not be used (RFC 9745), \`Sunset\` from when it may no longer work (RFC 8594), and
\`Link\` leads here. It is also marked in the [API reference](/api-reference).

## Calls that will go away

${deprecated.length > 0 ? deprecated.join('\n') : 'None.'}

${days.join('\n\n')}
`;
}
