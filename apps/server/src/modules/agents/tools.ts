import { openApiDocument } from '@heliograph/contract/api/openapi';
import { PUBLIC_OPERATIONS } from '@heliograph/contract/api/operations';
import type { ApiScope, PublicOperation } from '@heliograph/contract/kernel/public-operation';

/** JSON Schema. */
export type Json = Record<string, unknown>;

/** Call of the public API as an agent sees it. */
export interface ApiTool {
  name: string;
  operation: PublicOperation;
  inputSchema: Json;
}

/** Calls that read, but serve programs only: what they answer may open something. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set(['listCallbacks', 'sampleEvents']);

/**
 * Calls that change something, and that agents get. Each is named here, so that a new call is no tool until somebody has
 * thought of it. Left out is what costs money, which needs a quote; what carries messages elsewhere, such as callbacks; codes,
 * which are for the person alone; and consents and conversions, which are evidence of what a person did.
 */
const CHANGES: ReadonlySet<string> = new Set([
  'cancelMessage',
  'cancelBatch',
  'updateConversation',
  'saveContact',
  'saveContacts',
  'deleteContact',
  'createSegment',
  'changeSegment',
  'deleteSegment',
]);

/** Tells if a call only reads. */
export const reads = ({ method }: Pick<PublicOperation, 'method'>): boolean => method === 'GET';

const isTool = ({ name, method, media }: PublicOperation) =>
  media === null && (reads({ method }) ? !FOR_PROGRAMS.has(name) : CHANGES.has(name));

/** Returns the scopes that the tools of an agent need. */
export const scopesOf = (writes: boolean): ApiScope[] => {
  const called = PUBLIC_OPERATIONS.filter((each) => isTool(each) && (writes || reads(each)));
  return [...new Set([...called.map(({ scope }) => scope), ...(writes ? (['messages:send'] as const) : [])])];
};

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Json;
}
interface Document {
  paths: Record<string, Record<string, { operationId: string; parameters: Parameter[] }>>;
  components: { schemas: Record<string, Json> };
}

let made: ReadonlyMap<string, ApiTool> | undefined;

/** Returns the tools of all calls, by name. Arguments are the parameters of the path and the query, and `body`. */
export function apiTools(): ReadonlyMap<string, ApiTool> {
  if (made) return made;
  const { paths, components } = openApiDocument({ title: '', url: '/' }) as unknown as Document;
  const parametersOf = new Map(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((call) => [call.operationId, call.parameters] as const),
    ),
  );
  const tools = PUBLIC_OPERATIONS.filter(isTool).map((operation): [string, ApiTool] => {
    const parameters = parametersOf.get(operation.name)!.filter((each) => each.in !== 'header');
    const body =
      operation.body && components.schemas[`${operation.name[0]!.toUpperCase()}${operation.name.slice(1)}Request`];
    const inputSchema = {
      type: 'object',
      properties: {
        ...Object.fromEntries(
          parameters.map(({ name, description, schema }) => [name, { ...schema, ...(description && { description }) }]),
        ),
        ...(body && { body }),
      },
      required: [...parameters.filter((each) => each.required).map(({ name }) => name), ...(body ? ['body'] : [])],
      additionalProperties: false,
    };
    const name = snake(operation.name);
    return [name, { name, operation, inputSchema }];
  });
  made = new Map(tools);
  return made;
}
