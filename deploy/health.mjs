// Whether a process on this machine lives: /healthz at its operations port. Without a name any of them will do, since a
// container has but one. Exit code 0 where it answers, 1 where none does.

const NAMES = ['api', 'worker', 'sender', 'smpp-server'];
const first = Number(process.env.OPERATIONS_PORT || 9464);
const wanted = process.argv[2] === undefined ? NAMES : [process.argv[2]];
const ports = wanted.map((name) => first + NAMES.indexOf(name));
const lives = async (port) =>
  (await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(3_000) })).ok;
const answers = await Promise.all(ports.map((port) => lives(port).catch(() => false)));
process.exit(answers.includes(true) ? 0 : 1);
