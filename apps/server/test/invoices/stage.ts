import type { Client, TestApi } from '../test-api.ts';

interface Record_ {
  id: number;
  name: string;
  reseller_id: number | null;
  is_reseller: boolean;
}

/** Profile of a seller, as a form sends it. */
export const issuerBody = (more: object = {}) => ({
  legal_name: 'Lamp Works Messaging Inc.',
  address: '12 Mirror Street',
  city: 'Makati',
  postal_code: '1226',
  country: 'PH',
  tax_number: '123-456-789-00000',
  tax_rate: '12',
  email: 'billing@lampworks.test',
  bank_name: 'Harbor Bank',
  bank_account: '001234567890',
  bank_code: 'HRBRPHMM',
  ...more,
});

/** Profile of a buyer, as a form sends it. */
export const buyerBody = (corporation_id: number, more: object = {}) => ({
  corporation_id,
  legal_name: 'Blue Harbor Bank Corporation',
  address: '5 Quay Road',
  city: 'Cebu',
  country: 'PH',
  tax_number: '987-654-321-00000',
  email: 'accounts@blueharbor.test',
  ...more,
});

export interface Invoice {
  id: number;
  number: string | null;
  status: string;
  payable: string;
  net: string;
  tax: string;
  open: string;
  [field: string]: unknown;
}

/** Sends a call that must succeed and returns its data. */
export async function done<Data = Invoice>(client: Client, method: string, path: string, body?: object): Promise<Data> {
  const answer = await client(method, `/api/v1/${path}`, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return (answer.body as { data: Data }).data;
}

/** The platform with an issuer profile, and a customer with a buyer profile. */
export async function sellingPlatform(api: TestApi, issuer: object = {}, buyer: object = {}) {
  const admin = await api.as('superadmin');
  const corporations = await done<Record_[]>(admin, 'GET', 'corporations?per_page=200');
  const customer = corporations.find(({ name }) => name === 'Blue Harbor Bank')!;
  const issuer_id = (await done<{ id: number }>(admin, 'POST', 'invoice-issuers', issuerBody(issuer))).id;
  const buyer_id = (await done<{ id: number }>(admin, 'POST', 'invoice-buyers', buyerBody(customer.id, buyer))).id;
  const draft = (lines: object[], more: object = {}) =>
    done(admin, 'POST', 'invoices', { corporation_id: customer.id, lines, ...more });
  return { admin, corporations, customer, issuer_id, buyer_id, draft };
}

export const line = (unit_price: string, quantity = '1', more: object = {}) => ({
  description: 'Messages',
  quantity,
  unit_price,
  ...more,
});
