import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '../template-database.ts';

/** Paths of PEM files. */
export interface Certificate {
  cert: string;
  key: string;
}

/** A certificate authority for one test, made by openssl. */
export interface Authority extends Certificate {
  /** Signs a certificate for a name; `days` of -1 makes one that expired yesterday. */
  sign(name: string, days?: number): Certificate;
}

/** Creates an authority in a folder that is deleted after the test. */
export function authority(t: Scope, name: string): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-certificates-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const path = (file: string) => join(folder, file);
  const key = (file: string) => openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', file);
  key('ca.key');
  openssl('req', '-x509', '-new', '-key', 'ca.key', '-subj', `/CN=${name}`, '-days', '30', '-out', 'ca.pem');
  let made = 0;
  return {
    cert: path('ca.pem'),
    key: path('ca.key'),
    sign(subject, days = 30) {
      const own = `own-${++made}`;
      key(`${own}.key`);
      openssl('req', '-new', '-key', `${own}.key`, '-subj', `/CN=${subject}`, '-out', `${own}.csr`);
      writeFileSync(path(`${own}.ext`), `subjectAltName=DNS:${subject}\n`);
      const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', String(days)];
      openssl('x509', '-req', '-in', `${own}.csr`, ...signer, '-extfile', `${own}.ext`, '-out', `${own}.pem`);
      return { cert: path(`${own}.pem`), key: path(`${own}.key`) };
    },
  };
}
