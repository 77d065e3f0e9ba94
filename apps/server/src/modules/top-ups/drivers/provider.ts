import type { PaymentDriver } from '@heliograph/contract/top-ups/merchant-account';
import type { ConnectedConfig } from '#platform/config/config';
import { OutboundAgent } from '#platform/outbound/agent';
import { open, secretKey } from '#platform/process/seal';
import { type CallProvider, type Driver, type Merchant, ProviderRefused, ProviderUnreachable } from './driver.ts';
import { maya } from './maya.ts';
import { paymongo } from './paymongo.ts';
import { stripe } from './stripe.ts';

/** Payment methods whose money goes through a provider's page. */
export type OnlineDriver = Exclude<PaymentDriver, 'bank_transfer'>;
export const DRIVERS: Readonly<Record<OnlineDriver, Driver>> = { stripe, paymongo, maya };

/** Addresses of the providers. Nobody can set another one. */
const ADDRESSES: Readonly<Record<OnlineDriver, Record<'live' | 'test', string>>> = {
  stripe: { live: 'https://api.stripe.com', test: 'https://api.stripe.com' },
  paymongo: { live: 'https://api.paymongo.com', test: 'https://api.paymongo.com' },
  maya: { live: 'https://pg.maya.ph', test: 'https://pg-sandbox.paymaya.com' },
};
const MOST_BYTES = 1_048_576;

/** Contexts in which the secrets of a payment method are sealed. */
export const secretKeyContext = (id: number) => `merchant_account.secret_key.${id}`;
export const webhookSecretContext = (id: number) => `merchant_account.webhook_secret.${id}`;

/** Columns of a payment method with which a provider is called. */
export interface StoredMerchant {
  id: number;
  driver: string;
  mode: string;
  public_key: string | null;
  secret_key_sealed: string | null;
}

type ProviderConfig = ConnectedConfig;

/** Returns the first line of a provider's error, in the forms of the three. */
function faultOf(body: string): string {
  try {
    const parsed = JSON.parse(body) as {
      error?: { message?: string };
      errors?: { detail?: string }[];
      message?: string;
    };
    const text = parsed.error?.message ?? parsed.errors?.[0]?.detail ?? parsed.message;
    if (text) return text.split('\n', 1)[0]!.slice(0, 200);
  } catch {
    // Not JSON: the page of a proxy.
  }
  return 'The provider refused without a reason.';
}

/** Calls providers. It goes through the guard against private addresses, except to the simulator of this machine. */
export class Providers {
  readonly #config: ProviderConfig;
  readonly #outside: OutboundAgent;
  readonly #simulated: OutboundAgent;

  constructor(config: ProviderConfig) {
    this.#config = config;
    this.#outside = new OutboundAgent(config);
    this.#simulated = new OutboundAgent({ PRIVATE_TARGETS: ['127.0.0.1/32'] });
  }

  /** Opens a payment method's keys. Throws if they are not set, or are sealed with another key. */
  merchant(stored: StoredMerchant): Merchant {
    const { id, secret_key_sealed, public_key } = stored;
    if (secret_key_sealed === null) throw new ProviderRefused('The secret key of the payment method is not set.');
    const secret_key = open(secretKey(this.#config), secret_key_sealed, secretKeyContext(id));
    return { public_key, secret_key, call: this.#caller(stored) };
  }

  #caller({ driver, mode }: StoredMerchant): CallProvider {
    const isSimulated = mode === 'simulated';
    const base = isSimulated
      ? `http://127.0.0.1:${this.#config.PAYMENT_SIMULATOR_PORT}/${driver}`
      : ADDRESSES[driver as OnlineDriver][mode as 'live' | 'test'];
    const agent = isSimulated ? this.#simulated : this.#outside;
    return async <Answer>({ method, path, headers, body }: Parameters<CallProvider>[0]) => {
      const call = { method, url: `${base}${path}`, headers, ...(body !== undefined && { body }) };
      const answer = await agent.call(call, MOST_BYTES);
      const { status, fault } = answer;
      if (status === null || status === 409 || status === 429 || status >= 500)
        throw new ProviderUnreachable(`${driver}: ${fault ?? status}`);
      if (status === 404 && method === 'GET') return undefined;
      if (status >= 300) throw new ProviderRefused(faultOf(answer.body));
      return JSON.parse(answer.body) as Answer;
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#outside.close(), this.#simulated.close()]);
  }
}
