const definition = (_: unknown, word: string) =>
  JSON.stringify({ trigger: { on: 'event' }, steps: [{ id: 1, do: 'tag', tag: word, add: true }] });

/** Values of the columns of journeys that take no word or number. */
export const JOURNEY_COLUMNS = {
  'journey.definition': definition,
  'journey.state': () => 'draft',
  'journey.pause_reason': () => null,
  'journey_version.definition': definition,
  'journey_version.rules': () => '{}',
  'journey_version.number': () => 1,
};
