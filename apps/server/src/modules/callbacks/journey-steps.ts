import type { Event } from '#modules/events';
import { type Queryable, rowsOf } from '#platform/database/queryable';

// The contact is read when the event is told, so that an erased person is not told.
const CONTACTS = 'SELECT id, number, name, fields FROM contact_row WHERE id = ANY ($1::bigint[])';
const JOURNEYS = 'SELECT id, name FROM journey WHERE id = ANY ($1::bigint[])';

interface Contact {
  id: number;
  number: string;
  name: string | null;
  fields: Record<string, unknown>;
}

/** Returns a function that makes the data of each of some events that is about a step of a journey. */
export async function journeySteps(
  db: Queryable,
  events: readonly Event[],
): Promise<(event: Pick<Event, 'data'>) => Record<string, unknown>> {
  const steps = events.filter(({ type }) => type === 'journey.step');
  const read = async <Row extends { id: number }>(text: string, field: string) => {
    const ids = [...new Set(steps.map(({ data }) => data[field]))].filter((id) => typeof id === 'number');
    const rows = ids.length === 0 ? [] : await rowsOf<Row>(db, text, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  };
  const contacts = await read<Contact>(CONTACTS, 'contact_id');
  const journeys = await read<{ id: number; name: string }>(JOURNEYS, 'journey_id');
  return ({ data }) => {
    const contact = contacts.get(data['contact_id'] as number);
    return {
      journey_id: String(data['journey_id']),
      journey: journeys.get(data['journey_id'] as number)?.name ?? null,
      step: data['step'],
      name: data['name'],
      to: contact?.number ?? null,
      contact: contact ? { id: String(contact.id), name: contact.name, fields: contact.fields } : null,
    };
  };
}
