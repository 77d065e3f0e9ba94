import type { Selectable } from 'kysely';
import type { Database } from '#platform/database/db';
import type { Db } from './db.ts';

export type Issuer = Selectable<Database['invoice_issuer']>;
export type Buyer = Selectable<Database['invoice_buyer']>;

/** Both sides of a document, and the buyer's corporation. */
export interface Parties {
  corporation: { id: number; name: string; currency: string; timezone: string; reseller_id: number | null };
  /** Null if the seller has no profile yet. */
  issuer: Issuer | null;
  /** Null if the buyer has no profile yet. */
  buyer: Buyer | null;
}

/** Loads the sides of documents to a corporation: it buys from its reseller, or from the platform. */
export async function partiesOf(db: Db, corporationId: number): Promise<Parties> {
  const corporation = await db
    .selectFrom('corporation')
    .select(['id', 'name', 'currency', 'timezone', 'reseller_id'])
    .where('id', '=', corporationId)
    .executeTakeFirstOrThrow();
  const { reseller_id } = corporation;
  const issuer = await db
    .selectFrom('invoice_issuer')
    .selectAll()
    .where('corporation_id', reseller_id === null ? 'is' : '=', reseller_id)
    .executeTakeFirst();
  const buyer = await db
    .selectFrom('invoice_buyer')
    .selectAll()
    .where('corporation_id', '=', corporationId)
    .executeTakeFirst();
  return { corporation, issuer: issuer ?? null, buyer: buyer ?? null };
}

/** Facts of a profile that an issued document keeps. */
export const PROFILE = [
  'legal_name',
  'address',
  'postal_code',
  'city',
  'country',
  'tax_number',
  'registration_number',
  'email',
] as const;
const SELLER = [
  ...PROFILE,
  'preset',
  'phone',
  'permit_number',
  'tax_registered',
  'exempt_reason',
  'bank_name',
  'bank_account',
  'bank_code',
  'note',
] as const;
const BUYER = [...PROFILE, 'contact_name', 'reference', 'tax_treatment', 'exempt_reason', 'withholds'] as const;

const pick = <Row extends object, Key extends keyof Row>(row: Row, keys: readonly Key[]): Pick<Row, Key> =>
  Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<Row, Key>;

/** Seller as an issued document names it. */
export type Seller = Pick<Issuer, (typeof SELLER)[number]>;
/** Buyer as an issued document names it. */
export type NamedBuyer = Pick<Buyer, (typeof BUYER)[number]>;

export const sellerOf = (issuer: Issuer): Seller => pick(issuer, SELLER);
export const buyerOf = (buyer: Buyer): NamedBuyer => pick(buyer, BUYER);
