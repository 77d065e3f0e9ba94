import { type Kysely, sql } from 'kysely';
import type { ConnectedConfig } from '../config/config.ts';
import type { Database } from '../database/db.ts';
import type { MailServer } from '../outbound/mail.ts';
import { open, secretKey } from '../process/seal.ts';
import { publicUrl } from '../process/shutdown.ts';
import { readSettings } from './settings.ts';

/** Context to which a sealed mail password is bound. */
export const mailPasswordContext = (resellerId: number): string => `reseller.email_password_sealed:${resellerId}`;

/** Sender of mails to a person: the reseller of their corporation, else the platform. */
export interface Brand {
  app: string;
  /** Address at which they sign in, without a slash at the end. */
  url: string;
  /** The reseller's own mail server; null for the platform's. Throws if its password does not open. */
  mail(): MailServer | null;
}

/** A reseller's mail settings as its table has them. */
interface MailColumns {
  id: number;
  corporation_name: string;
  app_name: string | null;
  email_address: string | null;
  mail_server: string | null;
  mail_port: number | null;
  mail_security: string;
  mail_user: string | null;
  email_password_sealed: string | null;
}

/** The mail server of a reseller; null if it has none. Throws if the password does not open. */
export function mailServerOf(config: ConnectedConfig, row: MailColumns): MailServer | null {
  const { email_address, mail_server, mail_port, email_password_sealed } = row;
  if (email_address === null || mail_server === null || mail_port === null) return null;
  const password =
    email_password_sealed === null ? null : open(secretKey(config), email_password_sealed, mailPasswordContext(row.id));
  return {
    host: mail_server,
    port: mail_port,
    security: row.mail_security as MailServer['security'],
    login: password === null ? null : { user: row.mail_user ?? email_address, password },
    from: { name: row.app_name ?? row.corporation_name, address: email_address },
  };
}

/** Reads the platform's own name and color, as its operator set them. */
export async function readAppLook(db: Kysely<Database>): Promise<{ name: string; color: string }> {
  const values = await readSettings(db, ['app_name', 'app_color']);
  return { name: values.get('app_name') ?? 'Heliograph', color: values.get('app_color') ?? '#2f6fde' };
}

/** Answers the name, the address and the mail server with which mails to people of a corporation are sent. */
export async function brandOf(
  db: Kysely<Database>,
  config: ConnectedConfig,
  corporationId: number | null,
): Promise<Brand> {
  const { rows } = await sql<MailColumns & { base_url: string | null }>`
    SELECT r.id, o.name AS corporation_name, r.app_name, r.base_url, r.email_address, r.mail_server, r.mail_port,
      r.mail_security, r.mail_user, r.email_password_sealed
    FROM corporation c JOIN reseller r ON r.corporation_id = coalesce(c.reseller_id, c.id)
    JOIN corporation o ON o.id = r.corporation_id WHERE c.id = ${corporationId}`.execute(db);
  const [row] = rows;
  if (!row) return { app: (await readAppLook(db)).name, url: publicUrl(config), mail: () => null };
  return {
    app: row.app_name ?? row.corporation_name,
    url: row.base_url ?? publicUrl(config),
    mail: () => mailServerOf(config, row),
  };
}

/** Appearance of the application on one host. */
export interface Look {
  name: string;
  color: string;
  logo_path: string | null;
  login_logo_path: string | null;
  favicon_path: string | null;
  /** The host is a reseller's. */
  reseller: boolean;
  /** Address of the reseller whose host it is; null for the platform's. */
  base_url: string | null;
}

/** Answers the look of the reseller who owns this host, else the platform's. No answer reveals which hosts exist. */
export async function lookOf(db: Kysely<Database>, host: string): Promise<Look> {
  const { rows } = await sql<Omit<Look, 'color' | 'reseller'> & { color: string | null }>`
    SELECT coalesce(r.app_name, c.name) AS name, r.theme_color AS color, r.base_url,
      '/api/v1/team-images/' || (SELECT key FROM reseller_image i WHERE i.reseller_id = r.id AND kind = 'logo') AS logo_path,
      '/api/v1/team-images/' || (SELECT key FROM reseller_image i WHERE i.reseller_id = r.id AND kind = 'login_logo') AS login_logo_path,
      '/api/v1/team-images/' || (SELECT key FROM reseller_image i WHERE i.reseller_id = r.id AND kind = 'favicon') AS favicon_path
    FROM reseller r JOIN corporation c ON c.id = r.corporation_id
    WHERE r.host = ${host.toLowerCase().replace(/\.$/, '')}`.execute(db);
  const [row] = rows;
  const platform = row && row.color !== null ? null : await readAppLook(db);
  if (row) return { ...row, color: row.color ?? platform!.color, reseller: true };
  return { ...platform!, logo_path: null, login_logo_path: null, favicon_path: null, reseller: false, base_url: null };
}
