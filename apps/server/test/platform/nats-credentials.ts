import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';

type Pair = ReturnType<typeof nkeys.createUser>;

const encode = (value: object | Uint8Array) =>
  Buffer.from(value instanceof Uint8Array ? value : JSON.stringify(value)).toString('base64url');

/** Makes a token of NATS: the claims of `issuer` about `subject`. */
function token(issuer: Pair, subject: Pair, type: 'operator' | 'account' | 'user'): string {
  const claims = {
    jti: `${type}-of-a-test`,
    iat: 1_700_000_000,
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name: type,
    nats: {
      type,
      version: 2,
      ...(type === 'account' && {
        limits: { subs: -1, conn: -1, data: -1, payload: -1, imports: -1, exports: -1, leaf: -1, wildcards: true },
      }),
      ...(type === 'user' && { subs: -1, data: -1, payload: -1 }),
    },
  };
  const signed = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode(claims)}`;
  return `${signed}.${encode(issuer.sign(Buffer.from(signed)))}`;
}

/**
 * Writes the configuration of a server that requires credentials, and credentials that it accepts. Returns their paths.
 */
export function natsCredentials(folder: string): { configuration: string; credentials: string } {
  const [operator, account, user] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createUser()];
  const configuration = join(folder, 'nats.conf');
  writeFileSync(
    configuration,
    `operator: ${token(operator, operator, 'operator')}
resolver: MEMORY
resolver_preload: { ${account.getPublicKey()}: ${token(operator, account, 'account')} }
`,
  );
  const credentials = join(folder, 'user.creds');
  writeFileSync(
    credentials,
    `-----BEGIN NATS USER JWT-----
${token(account, user, 'user')}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${Buffer.from(user.getSeed()).toString()}
------END USER NKEY SEED------
`,
  );
  return { configuration, credentials };
}
