import type {
  IDataObject,
  IHookFunctions,
  IHttpRequestOptions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';
import { EVENT_OPTIONS } from './events.ts';
import { isSigned } from './signature.ts';

/** What a workflow stores about its address. */
interface Stored extends IDataObject {
  id?: string;
  secret?: string;
}

/** Address as the platform lists it. */
interface Address {
  id: string;
  url: string;
  types: string[];
}

async function ask(
  context: IHookFunctions,
  method: NonNullable<IHttpRequestOptions['method']>,
  path: string,
  body?: IDataObject,
): Promise<IDataObject> {
  const { url } = await context.getCredentials<{ url: string }>('heliographApi');
  return context.helpers.httpRequestWithAuthentication.call(context, 'heliographApi', {
    method,
    baseURL: url.replace(/\/+$/, ''),
    url: path,
    json: true,
    ...(body && { body }),
  });
}

/** Node that starts a workflow when an event happens. It adds its address to the platform, and removes it. */
export class HeliographTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Heliograph Trigger',
    name: 'heliographTrigger',
    icon: 'file:heliograph.svg',
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["types"].join(", ") }}',
    description: 'Starts a workflow when a message arrives, is delivered, or another event happens',
    defaults: { name: 'Heliograph Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'heliographApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook', rawBody: true }],
    properties: [
      {
        displayName: 'Events',
        name: 'types',
        type: 'multiOptions',
        required: true,
        default: [],
        options: EVENT_OPTIONS,
        description: 'Events that start the workflow',
      },
      {
        displayName:
          'The key needs the scopes callbacks:read, callbacks:write and events:read, and contacts:read for steps of journeys. n8n must be reachable over https.',
        name: 'notice',
        type: 'notice',
        default: '',
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const stored: Stored = this.getWorkflowStaticData('node');
        if (!stored.secret) return false;
        const wanted = [...(this.getNodeParameter('types') as string[])].sort().join();
        const { data } = (await ask(this, 'GET', '/v1/callbacks')) as { data: Address[] };
        return data.some(
          ({ id, url, types }) =>
            id === stored.id && url === this.getNodeWebhookUrl('default') && [...types].sort().join() === wanted,
        );
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const url = this.getNodeWebhookUrl('default')!;
        // An address of which the secret was lost is added again.
        const { data } = (await ask(this, 'GET', '/v1/callbacks')) as { data: Address[] };
        for (const { id } of data.filter((each) => each.url === url)) await ask(this, 'DELETE', `/v1/callbacks/${id}`);
        const body = { url, types: this.getNodeParameter('types') as string[], description: 'n8n' };
        const { id, secret } = (await ask(this, 'POST', '/v1/callbacks', body)) as { id: string; secret: string };
        Object.assign(this.getWorkflowStaticData('node'), { id, secret } satisfies Stored);
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        const stored: Stored = this.getWorkflowStaticData('node');
        if (stored.id) {
          try {
            await ask(this, 'DELETE', `/v1/callbacks/${stored.id}`);
          } catch {
            // The address may be gone, or the key may have ended: then nothing is sent to it any more.
            return false;
          }
        }
        delete stored.id;
        delete stored.secret;
        return true;
      },
    },
  };

  /** Takes an event. A call without a right signature is refused, and starts nothing. */
  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret }: Stored = this.getWorkflowStaticData('node');
    const { rawBody } = this.getRequestObject() as { rawBody?: Buffer };
    const text = rawBody?.toString('utf8') ?? '';
    if (!secret || !isSigned(secret, this.getHeaderData(), text)) {
      this.getResponseObject().status(401).json({ message: 'The signature is wrong.' });
      return { noWebhookResponse: true };
    }
    const id = this.getHeaderData()['webhook-id'];
    return { workflowData: [[{ json: { webhook_id: id, ...(JSON.parse(text) as IDataObject) } }]] };
  }
}
