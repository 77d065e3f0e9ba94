// Made by scripts/generate-clients.ts of packages/contract/src/kernel/events.ts: change it there.
import type { INodePropertyOptions } from 'n8n-workflow';

export const EVENT_OPTIONS: INodePropertyOptions[] = [
  {"name":"Message Delivered","value":"message.delivered","description":"message.delivered"},
  {"name":"Message Failed","value":"message.failed","description":"message.failed"},
  {"name":"Message Expired","value":"message.expired","description":"message.expired"},
  {"name":"Message Corrected","value":"message.corrected","description":"message.corrected"},
  {"name":"Message Received","value":"message.received","description":"message.received"},
  {"name":"Campaign Finished","value":"campaign.finished","description":"campaign.finished"},
  {"name":"Link Clicked","value":"link.clicked","description":"link.clicked"},
  {"name":"Step of a Journey","value":"journey.step","description":"journey.step"},
  {"name":"Verification Approved","value":"verification.approved","description":"verification.approved"},
  {"name":"Verification Failed","value":"verification.failed","description":"verification.failed"},
  {"name":"Verification Expired","value":"verification.expired","description":"verification.expired"},
  {"name":"Balance Low","value":"balance.low","description":"balance.low"},
  {"name":"Payment Received","value":"payment.received","description":"payment.received"},
  {"name":"Invoice Issued","value":"invoice.issued","description":"invoice.issued"},
];
