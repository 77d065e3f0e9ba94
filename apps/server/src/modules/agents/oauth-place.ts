import { MCP_PATH } from '@heliograph/contract/api/agents';
import type { FastifyRequest } from 'fastify';
import type { App } from '#platform/http/http';
import { lookOf } from '#platform/operator/brand';

/** Path of the description of what agents use (RFC 9728). */
export const RESOURCE = '/.well-known/oauth-protected-resource';

/** Address of the platform, or of the reseller whose host was called. */
export async function baseOf(
  { database, config }: Pick<App, 'database' | 'config'>,
  request: FastifyRequest,
): Promise<string> {
  const { reseller, base_url } = await lookOf(database, request.hostname);
  const base = (reseller ? base_url : config.PUBLIC_URL) ?? `${request.protocol}://${request.host}`;
  return base.replace(/\/$/, '');
}

/** Returns the challenge with which an agent finds out how to be connected, with the least right (RFC 9728 clause 5.1). */
export const resourceChallenge = async (app: App, request: FastifyRequest): Promise<string> =>
  `Bearer realm="agents", resource_metadata="${await baseOf(app, request)}${RESOURCE}${MCP_PATH}", scope="read"`;

/** Tells if a program asks for the interface of agents here, or does not say what it asks for (RFC 8707). */
export function isResource(base: string, resource: string | null | undefined): boolean {
  if (resource === null || resource === undefined || resource === '') return true;
  if (!URL.canParse(resource)) return false;
  const { href, hash } = new URL(resource);
  return (
    hash === '' &&
    [base, base + MCP_PATH].some((each) => new URL(each).href.replace(/\/$/, '') === href.replace(/\/$/, ''))
  );
}

/** Returns an address of a program with what OAuth tells it, and who says so (RFC 9207). */
export function backTo(
  redirect: string,
  base: string,
  told: Readonly<Record<string, string | null | undefined>>,
): string {
  const url = new URL(redirect);
  for (const [name, value] of Object.entries({ ...told, iss: base })) if (value) url.searchParams.set(name, value);
  return url.href;
}
