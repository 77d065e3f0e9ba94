import { startSimulator } from './simulator.ts';

function port(name: string, fallback: number): number {
  const text = process.env[name];
  const value = text === undefined || text === '' ? fallback : Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535) {
    console.error(`${name} must be a port from 0 to 65535, but is “${text}”.`);
    process.exit(1);
  }
  return value;
}

const host = process.env.HOST || '127.0.0.1';
const options = { smppPort: port('SIMULATOR_SMPP_PORT', 2775), httpPort: port('SIMULATOR_HTTP_PORT', 2780), host };
const simulator = await startSimulator(options).catch((error: NodeJS.ErrnoException & { port?: number }) => {
  const taken = error.code === 'EADDRINUSE';
  console.error(
    taken
      ? `Port ${error.port} is taken. Stop what uses it or set another one.`
      : `The simulator could not start: ${error.message}`,
  );
  process.exit(1);
});
console.log(
  `Carrier simulator: SMPP on ${host}:${simulator.smppPort}, handsets at http://${host}:${simulator.httpPort}/`,
);

const stop = (): void => void simulator.stop().then(() => process.exit(0));
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
