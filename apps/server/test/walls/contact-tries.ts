import type { PlaceName } from './places.ts';
import type { Try } from './unique-tries.ts';

/** Puts a value into a place's row, and returns it. */
type Put = (place: PlaceName, table: string, column: string, value: string) => () => Promise<string>;

/** Returns the tries of contacts, their fields and consents by a person of a corporation. */
export const contactTries = (corporation_id: number, put: Put): readonly Try[] => [
  {
    record: 'contacts',
    login: 'corporate',
    path: 'contacts',
    body: (number) => ({ corporation_id, number }),
    held: put('rival', 'contact', 'number', '639170000106'),
    free: '639170000107',
  },
  {
    record: 'contact-fields',
    login: 'corporate',
    path: 'contact-fields',
    body: (name) => ({ corporation_id, name, key: name.toLowerCase().replaceAll(' ', '_') }),
    held: put('rival', 'contact_field', 'name', 'Rival level'),
    free: 'Free level',
  },
  {
    record: 'segments',
    login: 'corporate',
    path: 'segments',
    body: (name) => ({ corporation_id, name, rule: { match: 'all', rules: [{ on: 'tag', tag: 'vip' }] } }),
    held: put('rival', 'segment', 'name', 'Rival segment'),
    free: 'Free segment',
  },
  {
    record: 'journeys',
    login: 'corporate',
    path: 'journeys',
    body: (name) => ({ corporation_id, name, definition: { trigger: { on: 'event' }, steps: [] } }),
    held: put('rival', 'journey', 'name', 'Rival journey'),
    free: 'Free journey',
  },
  {
    record: 'verify-services',
    login: 'corporate',
    path: 'verify-services',
    body: (name) => ({ corporation_id, name, app_name: 'Shop', senders: ['ACME'] }),
    held: put('rival', 'verify_service', 'name', 'Rival service'),
    free: 'Free service',
  },
  {
    record: 'consents',
    login: 'corporate',
    path: 'consents',
    body: (number) => ({ corporation_id, number }),
    held: put('rival', 'consent_event', 'number', '639170000104'),
    free: '639170000105',
  },
];
