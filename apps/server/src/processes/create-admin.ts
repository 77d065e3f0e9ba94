import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { StartError } from '@heliograph/installation/start-error';
import { runDatabaseCommand } from '../platform/process/database-command.ts';
import { createAdmin } from '../seed/create-admin.ts';

// `npm run create-admin`: asks for missing arguments. Without a terminal the password is the first line of stdin. It
// never appears among the arguments, which everybody on the machine can read.

const USAGE = 'Use --email and --name, and the password on standard input.';

async function ask(question: string, { hidden = false } = {}): Promise<string> {
  process.stdout.write(question);
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!hidden) process.stdout.write(chunk);
      done();
    },
  });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  terminal.once('SIGINT', () => process.exit(130));
  try {
    return await terminal.question('');
  } catch {
    throw new StartError('The input ended. No user was created.');
  } finally {
    terminal.close();
    if (hidden) process.stdout.write('\n');
  }
}

function readArguments(): { email?: string | undefined; name?: string | undefined } {
  try {
    return parseArgs({ options: { email: { type: 'string' }, name: { type: 'string' } } }).values;
  } catch (error) {
    throw new StartError(`${(error as Error).message} ${USAGE}`, 2);
  }
}

await runDatabaseCommand('create-admin', async ({ config }) => {
  const given = readArguments();
  let [email, name, password] = [given.email, given.name, ''];
  if (process.stdin.isTTY) {
    email ??= await ask('Email address: ');
    name ??= await ask('Name: ');
    password = await ask('Password: ', { hidden: true });
    if ((await ask('Password again: ', { hidden: true })) !== password) {
      throw new StartError('The two passwords are not the same. No user was created.');
    }
  } else {
    password = (await text(process.stdin)).split(/\r?\n/)[0] ?? '';
  }
  if (!email || !name) throw new StartError(`Enter an email address and a name. ${USAGE}`, 2);
  await createAdmin({ url: config.DATABASE_URL, email, name, password });
  process.stdout.write(`${email} can now sign in as super administrator.\n`);
  process.exit(0);
});
