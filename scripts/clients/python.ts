import { apiModel, type ModelCall, type RecordType, type Type } from './api-model.ts';

const PLAIN = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None', any: 'Any' } as const;
const KEYWORDS = new Set(['from', 'import', 'class', 'global', 'type', 'id', 'filter']);

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const argument = (name: string) => (KEYWORDS.has(name) ? `${name}_` : name);

function typeOf(type: Type): string {
  switch (type.kind) {
    case 'plain':
      return PLAIN[type.name];
    case 'one-of':
      return `Literal[${type.values.map((value) => (typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value))).join(', ')}]`;
    case 'list':
      return `list[${typeOf(type.of)}]`;
    case 'map':
      return `dict[str, ${typeOf(type.of)}]`;
    case 'union':
      // Names of records are texts here, which have no operator.
      return `Union[${type.of.map(typeOf).join(', ')}]`;
    case 'record':
      return `"${type.name}"`;
  }
}

function recordText({ name, alias, fields }: RecordType): string {
  if (alias) return `${name} = ${alias.kind === 'record' ? alias.name : typeOf(alias)}\n`;
  const lines = fields.map(
    ({ name: field, type, required }) => `    "${field}": ${required ? `Required[${typeOf(type)}]` : typeOf(type)},\n`,
  );
  return `${name} = TypedDict("${name}", {\n${lines.join('')}}, total=False)\n`;
}

function callText({
  name,
  method,
  path,
  summary,
  inPath,
  inQuery,
  body,
  reply,
  idempotent,
  repeatable,
}: ModelCall): string {
  const query = inQuery.filter((each) => each.required).concat(inQuery.filter((each) => !each.required));
  const taken = [
    'self',
    ...inPath.map((each) => `${argument(each)}: str`),
    ...(body ? [`body: ${body}`] : []),
    ...(query.length > 0 || idempotent ? ['*'] : []),
    ...query.map(({ name: each, type, required }) =>
      required ? `${argument(each)}: ${typeOf(type)}` : `${argument(each)}: Optional[${typeOf(type)}] = None`,
    ),
    ...(idempotent ? ['idempotency_key: Optional[str] = None'] : []),
  ];
  const address = inPath.reduce((text, each) => text.replace(`{${each}}`, `{segment(${argument(each)})}`), path);
  const given = [
    `"${method}"`,
    inPath.length > 0 ? `f"${address}"` : `"${address}"`,
    ...(inQuery.length > 0
      ? [`query={${inQuery.map(({ name: each }) => `"${each}": ${argument(each)}`).join(', ')}}`]
      : []),
    ...(body ? ['body=body'] : []),
    ...(idempotent ? ['idempotency_key=idempotency_key or new_key()'] : []),
    ...(reply === 'file' ? ['as_bytes=True'] : []),
    ...(repeatable ? [] : ['repeatable=False']),
  ];
  const answer = reply === 'file' ? 'bytes' : (reply as { record: string }).record;
  return `    def ${snake(name)}(${taken.join(', ')}) -> ${answer}:\n        """${summary}."""\n        return self._call(${given.join(', ')})\n`;
}

/** Writes the types and calls of the Python client. */
export function pythonClient(): string {
  const { records, calls } = apiModel();
  return `# Made by scripts/generate-clients.ts of packages/contract/src/api: change it there.
"""Types of the API, and one method for each call."""

from __future__ import annotations

from typing import Any, Literal, Optional, Required, TypedDict, Union
from urllib.parse import quote
from uuid import uuid4


def segment(value: str) -> str:
    """Returns a value as a segment of a path."""
    return quote(value, safe="")


def new_key() -> str:
    """Returns a new idempotency key."""
    return str(uuid4())


${records.map(recordText).join('\n')}

class Calls:
    """One method for each call of the API."""

    def _call(self, method: str, path: str, *, query: Optional[dict[str, Any]] = None, body: Any = None,
              idempotency_key: Optional[str] = None, as_bytes: bool = False, repeatable: bool = True) -> Any:
        raise NotImplementedError

${calls
  .filter(({ reply }) => reply !== 'stream')
  .map(callText)
  .join('\n')}`;
}
