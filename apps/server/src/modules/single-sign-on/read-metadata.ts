import { SaxesParser } from 'saxes';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/** Description of a provider of SAML 2.0, as its metadata has it. */
export interface Metadata {
  entity_id: string;
  sso_url: string;
  /** Certificates with which it signs, in PEM. */
  certificates: string;
}

/**
 * Reads the metadata of one identity provider. Documents with a DOCTYPE, and so with entities, are refused. Throws an
 * Error with the reason.
 */
export function readMetadata(xml: string): Metadata {
  const parser = new SaxesParser({ xmlns: true });
  const found = { entities: [] as string[], sso_url: '', certificates: [] as string[] };
  const open: { name: string; use?: string }[] = [];
  let text = '';
  const within = (name: string) => open.some((each) => each.name === name);
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a DOCTYPE is not allowed');
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    const value = (name: string) => attributes[name]?.value ?? '';
    open.push({ name: `${uri === METADATA || uri === SIGNATURES ? '' : 'other:'}${local}`, use: value('use') });
    text = '';
    if (uri !== METADATA) return;
    if (local === 'EntityDescriptor') found.entities.push(value('entityID'));
    if (local === 'SingleSignOnService' && within('IDPSSODescriptor') && value('Binding') === REDIRECT)
      found.sso_url ||= value('Location');
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('closetag', ({ uri, local }) => {
    const use = open.find(({ name }) => name === 'KeyDescriptor')?.use;
    if (
      uri === SIGNATURES &&
      local === 'X509Certificate' &&
      within('IDPSSODescriptor') &&
      use !== undefined &&
      use !== 'encryption'
    )
      found.certificates.push(text.replace(/\s+/g, ''));
    open.pop();
  });
  parser.write(xml).close();
  const [entity_id, ...others] = found.entities;
  if (!entity_id || others.length > 0) throw new Error('it must describe exactly one provider');
  if (found.sso_url === '') throw new Error('it has no SingleSignOnService with the binding HTTP-Redirect');
  const certificates = [...new Set(found.certificates)];
  if (certificates.length === 0) throw new Error('it has no certificate for signatures');
  return {
    entity_id,
    sso_url: found.sso_url,
    certificates: certificates
      .map((each) => `-----BEGIN CERTIFICATE-----\n${each.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----`)
      .join('\n'),
  };
}
