import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

/** Key of the API, and the address of the installation. */
export class HeliographApi implements ICredentialType {
  name = 'heliographApi';
  displayName = 'Heliograph API';
  icon = 'file:heliograph.svg' as const;
  properties: INodeProperties[] = [
    {
      displayName: 'Address',
      name: 'url',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://sms.example.com',
      description: 'Address of the console, without a path',
    },
    {
      displayName: 'API Key',
      name: 'key',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      placeholder: 'hk_live_…',
      description: 'Key that starts with hk_live_ or hk_test_. Messages of a test key cost nothing and reach no phone.',
    },
  ];
  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{ $credentials.key }}' } },
  };
  test: ICredentialTestRequest = {
    request: { baseURL: '={{ $credentials.url.replace(/\\/+$/, "") }}', url: '/v1/balance' },
  };
}
