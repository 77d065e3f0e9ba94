/** Values of columns for files that are sent and figures that are counted, by table and column, as in `world.ts`. */
export const SENT_VALUES: Readonly<Record<string, (place: object, word: string) => string | number | boolean | null>> =
  {
    'audit_stream.destination': () => 's3',
    'audit_stream.enabled': () => false,
    'audit_stream.endpoint': (_, word) => `https://${word}.test/`,
    'audit_stream.error': () => null,
    'audit_stream.url': (_, word) => `https://${word}.test/`,
    'scheduled_file.destination': () => 's3',
    'scheduled_file.enabled': () => false,
    'scheduled_file.endpoint': (_, word) => `https://${word}.test/`,
    'scheduled_file.folder': (_, word) => word,
    'scheduled_file.host_key': () => null,
    'scheduled_file_run.error': () => null,
    'scheduled_file_run.kept_path': () => null,
    'scheduled_file_run.period_end': () => '2100-01-01',
    'traffic_destination.messages': () => 7_777,
    'traffic_quarter.messages': () => 7_777,
    'traffic_quarter.parts': () => 7_777,
    'traffic_quarter.delivered': () => 7_777,
    'traffic_quarter.spend': () => 7_777,
  };
