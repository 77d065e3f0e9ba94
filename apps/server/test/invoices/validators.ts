import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const JARS = '/usr/share/java';
/** Apache PDFBox with its validator of PDF/A, and the libraries that it needs. */
const CLASSES = [
  'preflight',
  'pdfbox2',
  'xmpbox',
  'fontbox2',
  'commons-logging',
  'bcprov',
  'bcmail',
  'bcpkix',
  'bcutil',
  'javax.activation',
  'jaxb-api',
].map((name) => join(JARS, `${name}.jar`));

/** Published schema of Factur-X, profile EN 16931, where .ci/run lays it. */
const SCHEMA = resolve(import.meta.dirname, '../../../../node_modules/.factur-x/Factur-X_1.07.3_EN16931.xsd');

/** Reason to skip the validators' tests; false under CI, which installs them. */
export const withoutValidators =
  !process.env['CI'] && ![...CLASSES, SCHEMA, '/usr/bin/xmllint'].every((file) => existsSync(file))
    ? 'PDFBox Preflight, xmllint or the schema of Factur-X is missing: .ci/run installs them'
    : false;

/** Runs a program, and returns all that it said: a validator ends with an error if a file has faults. */
const heard = (program: string, args: readonly string[]) =>
  new Promise<string>((resolve, reject) => {
    execFile(program, args, { encoding: 'utf8' }, (error, out, err) =>
      error && typeof error.code !== 'number' ? reject(error) : resolve(out + err),
    );
  });

/**
 * Faults by PDF/A-1 that PDF/A-3 allows, by the codes of Preflight, which knows PDF/A-1b only: embedded files
 * (ISO 19005-3, 6.8), subsets of fonts without a CIDSet (6.2.11.4.2), and a part that is not 1 (6.6.4).
 */
const ALLOWED = [
  /^1\.4\.7 .*EmbeddedFile entry is present/,
  /^1\.2\.9 .*EmbeddedFile entry is present/,
  /^3\.1\.11 .*The CIDSet entry is missing/,
  /^7\.11\.2 .*part must be 1/,
];

/** Returns the faults of a PDF/A-3b that Apache PDFBox Preflight finds, such as `3.1.3 : Invalid Font definition`. */
export async function faultsOfPdf(file: string): Promise<string[]> {
  const said = await heard('java', ['-cp', CLASSES.join(':'), 'org.apache.pdfbox.preflight.Validator_A1b', file]);
  const [verdict = '', ...faults] = said.split('\n').filter((line) => line.trim() !== '');
  // It would be valid as PDF/A-1b if Preflight had not seen the embedded data.
  if (!verdict.endsWith('is not a valid PDF/A-1b file, error(s) :')) return [said];
  return faults.filter((fault) => !ALLOWED.some((allowed) => allowed.test(fault)));
}

/** Returns what xmllint says of an XML file by the published schema of Factur-X, profile EN 16931. */
export async function verdictOfXml(file: string): Promise<string> {
  const said = await heard('xmllint', ['--nonet', '--noout', '--schema', SCHEMA, file]);
  return said.trim().slice(said.startsWith(file) ? file.length + 1 : 0);
}
