import { PROFILE_NAMES, type ProfileName } from './profile.ts';
import { startSimulator } from './simulator.ts';

function whole(name: string, fallback: number, most: number, what: string): number {
  const text = process.env[name];
  const value = text === undefined || text === '' ? fallback : Number(text);
  if (!Number.isInteger(value) || value < 0 || value > most) {
    console.error(`${name} must be ${what}, but is “${text}”.`);
    process.exit(1);
  }
  return value;
}

const port = (name: string, fallback: number): number => whole(name, fallback, 65_535, 'a port from 0 to 65535');

function profile(name: string): ProfileName {
  const text = process.env[name] || 'healthy';
  const found = PROFILE_NAMES.find((each) => each === text);
  if (found) return found;
  console.error(`${name} must be one of ${PROFILE_NAMES.join(', ')}, but is “${text}”.`);
  process.exit(1);
}

const host = process.env.HOST || '127.0.0.1';
const options = {
  smppPort: port('SIMULATOR_SMPP_PORT', 2775),
  httpPort: port('SIMULATOR_HTTP_PORT', 2780),
  host,
  seed: whole('SIMULATOR_SEED', 1, 0xffff_ffff, 'a whole number from 0 to 4294967295'),
  settings: { profile: profile('SIMULATOR_PROFILE') },
  ...(process.env.SIMULATOR_LOG_FILE && { logFile: process.env.SIMULATOR_LOG_FILE }),
};
const simulator = await startSimulator(options).catch((error: NodeJS.ErrnoException & { port?: number }) => {
  const taken = error.code === 'EADDRINUSE';
  console.error(
    taken
      ? `Port ${error.port} is in use. Stop its program, or set another port.`
      : `The simulator could not start: ${error.message}`,
  );
  process.exit(1);
});
console.log(
  `Carrier simulator: SMPP on ${host}:${simulator.smppPort}, handsets at http://${host}:${simulator.httpPort}/`,
);

// Sends the ports to the parent process, if there is one.
process.send?.({ smppPort: simulator.smppPort, httpPort: simulator.httpPort });

const stop = (): void => void simulator.stop().then(() => process.exit(0));
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
