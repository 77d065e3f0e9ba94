import assert from 'node:assert/strict';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

/** Program that connects itself as any agent does, with the protocol's own library. */
export function agentProgram({
  url,
  redirect,
  name = 'Desk helper',
}: {
  url: string;
  redirect: string;
  name?: string;
}) {
  const kept: Record<string, unknown> = {};
  const keep = (name: string) => (value: unknown) => {
    kept[name] = value;
  };
  let sentTo: URL | undefined;
  const provider: OAuthClientProvider = {
    redirectUrl: redirect,
    clientMetadata: {
      client_name: name,
      redirect_uris: [redirect],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'state-of-desk',
    clientInformation: () => kept['client'] as never,
    saveClientInformation: keep('client'),
    tokens: () => kept['tokens'] as never,
    saveTokens: keep('tokens'),
    redirectToAuthorization: (to) => {
      sentTo = to;
    },
    saveCodeVerifier: keep('verifier'),
    codeVerifier: () => kept['verifier'] as string,
    discoveryState: () => kept['found'] as never,
    saveDiscoveryState: keep('found'),
  };
  const serverUrl = new URL(`${url}/mcp`);
  let transport: StreamableHTTPClientTransport;
  const connect = async () => {
    const client = new Client({ name, version: '1' });
    transport = new StreamableHTTPClientTransport(serverUrl, { authProvider: provider });
    await client.connect(transport as never);
    return client;
  };
  return {
    kept,
    /** Asks to be connected, and returns the address at which a person decides. */
    async begin(): Promise<URL> {
      await assert.rejects(connect(), UnauthorizedError);
      return sentTo!;
    },
    /** Takes the answer with which the person came back. */
    end: (back: URL): Promise<void> => transport.finishAuth(back.searchParams),
    connect,
  };
}
