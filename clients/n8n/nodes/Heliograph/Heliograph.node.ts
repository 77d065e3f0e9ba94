import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { PROPERTIES } from './operations.ts';

/** Node that makes calls of the API. */
export class Heliograph implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Heliograph',
    name: 'heliograph',
    icon: 'file:heliograph.svg',
    group: ['output'],
    version: 1,
    subtitle: '={{ $parameter["operation"] }}',
    description: 'Send messages, verify phones and read replies',
    defaults: { name: 'Heliograph' },
    usableAsTool: true,
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'heliographApi', required: true }],
    requestDefaults: {
      baseURL: '={{ $credentials.url.replace(/\\/+$/, "") }}',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    },
    properties: PROPERTIES,
  };
}
