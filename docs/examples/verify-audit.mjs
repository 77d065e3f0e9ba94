// Checks entries of the activity log that an audit stream sent: `node verify-audit.mjs FILE…`, with one OCSF event a
// line, compressed or not. It finds entries that were changed after they were logged, and neighbors that do not fit.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const entries = new Map();

/** Ends with the first fault. */
function fail(position, fault) {
  console.error(`Entry ${position}: ${fault}`);
  process.exit(1);
}

for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const event = JSON.parse(line);
    const { position, hash } = event.unmapped;
    const known = entries.get(position);
    if (known && known.unmapped.hash !== hash) fail(position, 'it arrived twice with different content');
    entries.set(position, event);
  }
}

let previous;
for (const [position, event] of [...entries].sort(([a], [b]) => a - b)) {
  const { hash, previous_hash, properties } = event.unmapped;
  const [place, id, , name, description, type, subject, , causer, changes, at] = JSON.parse(event.raw_data);
  const digest = createHash('sha256')
    .update(Buffer.from(previous_hash ?? '', 'hex'))
    .update(event.raw_data)
    .digest('hex');
  if (digest !== hash) fail(position, 'its content does not fit its hash');
  const shown = [
    [position, place],
    [event.metadata.uid, String(id)],
    [event.metadata.event_code, `${name}.${description.replace(/[ -]/g, '_')}`],
    [event.activity_name, description],
    [event.time, Date.parse(at)],
    [event.actor.user?.uid, causer === null ? undefined : String(causer)],
    [JSON.stringify(properties), JSON.stringify(changes)],
    [(event.user ?? event.resources[0]).uid, subject === null ? undefined : String(subject)],
    [event.user ? type : event.resources[0].type, type],
  ];
  if (shown.some(([one, other]) => one !== other)) fail(position, 'its fields differ from what was logged');
  if (previous && previous.unmapped.position === position - 1 && previous.unmapped.hash !== previous_hash)
    fail(position, 'it does not follow the entry before it');
  previous = event;
}
console.log(`${entries.size} entries are as they were logged.`);
