import { addMoRoutes, addMtRoutes } from './jasmin-routes.ts';
import { type Command, readSession, Shown } from './jasmin-session.ts';
import { addSender } from './kannel-programs.ts';
import { Moved, type MoveInOptions } from './moved.ts';

const BINDS: Readonly<Record<string, string>> = { transceiver: 'transceiver', transmitter: 'transmitter' };

/**
 * Makes a declared installation of a jcli session: the answers of `smppccm -s`, `user -s`, `group -l`, `mtrouter -l`,
 * `morouter -l` and `httpccm -l` in one text.
 */
export function moveFromJasmin(file: string, options: MoveInOptions): Moved {
  const commands = readSession(file);
  const moved = new Moved('jasmin');
  const { corporation } = options;
  moved.addCorporation(corporation);
  const of = (manager: string, action: string) =>
    commands.filter((each) => each.manager === manager && each.action === action);
  for (const { answer } of of('group', 'l'))
    for (const { text } of answer) {
      const [, id] = /^#(\S+)\s*$/.exec(text) ?? [];
      if (id !== undefined && !/^Group$/i.test(id)) moved.add('departments', { corporation, name: id });
    }
  for (const command of of('smppccm', 's')) addLink(moved, command, options);
  for (const command of of('user', 's')) addProgram(moved, command, options);
  noteMissing(moved, commands, 'smppccm');
  noteMissing(moved, commands, 'user');
  addMtRoutes(moved, commands, `${corporation} prices`, options);
  addMoRoutes(moved, commands, options);
  return moved;
}

/** Notes the records of a list that no answer shows: a list lacks most of their settings. */
function noteMissing(moved: Moved, commands: readonly Command[], manager: string): void {
  const own = commands.filter((each) => each.manager === manager);
  const shown = new Set(own.filter(({ action }) => action === 's').map(({ argument }) => argument));
  for (const line of own.filter(({ action }) => action === 'l').flatMap(({ answer }) => answer)) {
    const [, id] = /^#(?!Connector id|User id)!?(\S+)/.exec(line.text) ?? [];
    if (id !== undefined && !shown.has(id))
      moved.note('refused', line, `"${id}" is only in the list. Add the answer of "${manager} -s ${id}".`);
  }
}

function addLink(moved: Moved, command: Command, options: MoveInOptions): void {
  const shown = new Shown(command.answer, /^(\w+)(?:\s+(.*))?$/);
  const name = shown.text('cid') ?? command.argument;
  const bind = shown.text('bind') ?? 'transceiver';
  const mode = BINDS[bind];
  if (mode === undefined) {
    moved.note('refused', shown.place('bind', command), `"${name}" is a ${bind}: a link also sends.`);
    return;
  }
  const pair = (side: string) => {
    const [ton, npi] = [shown.number(`${side}_ton`), shown.number(`${side}_npi`)];
    return ton === undefined || npi === undefined ? undefined : `${ton}/${npi}`;
  };
  const throughput = shown.number('submit_throughput');
  const password = shown.text('password');
  moved.add('links', {
    name,
    host: shown.text('host'),
    port: shown.number('port'),
    system_id: shown.text('username'),
    password: password === undefined ? undefined : moved.secret(name, password),
    system_type: shown.text('systype'),
    bind_mode: mode,
    tls: shown.text('ssl') === 'yes' ? true : undefined,
    rate: throughput === undefined || throughput === 0 ? undefined : Math.max(1, Math.floor(throughput)),
    enquire_link_seconds: shown.number('elink_interval'),
    response_seconds: shown.number('res_to'),
    bind_seconds: shown.number('bind_to'),
    short_code_ton_npi: pair('src'),
    number_ton_npi: pair('src'),
    destination_ton_npi: pair('dst'),
    enabled: options.enable ? undefined : false,
  });
  const sender = shown.text('src_addr');
  if (sender !== undefined) addSender(moved, options.corporation, sender);
  for (const [key, why] of [
    ['validity', 'The validity is that of each message or campaign, not of a link.'],
    ['addr_range', 'The address range of the bind stays empty.'],
    ['custom_tlvs', 'Add its parameters to the link in the console: name=TAG:type:value.'],
    ['proto_id', 'Add the parameter protocol_id to the link in the console.'],
  ] as const) {
    const value = shown.text(key);
    if (value !== undefined && value !== 'none')
      moved.note('refused', shown.place(key, command), `${key} ${value} of "${name}": ${why}`);
  }
  const coding = shown.number('coding') ?? 0;
  if (coding !== 0)
    moved.note(
      'differs',
      shown.place('coding', command),
      `The coding of a text follows from its characters: coding ${coding} of "${name}" is not set.`,
    );
}

function addProgram(moved: Moved, command: Command, { corporation, contact }: MoveInOptions): void {
  const shown = new Shown(command.answer, /^((?:mt_messaging_cred|smpps_cred) \w+ \w+|\w+)(?:\s+(.*))?$/);
  const credential = (path: string) => shown.text(`mt_messaging_cred ${path}`);
  const name = shown.text('username') ?? command.argument;
  const group = shown.text('gid');
  if (group !== undefined && !moved.of('departments').some((each) => each['name'] === group))
    moved.add('departments', { corporation, name: group });
  const balance = credential('quota balance');
  const amount = balance === undefined ? undefined : Number(balance);
  if (amount !== undefined && amount > 0) {
    moved.add('billing-accounts', {
      corporation,
      name,
      key: `jasmin-${name}`.slice(0, 50),
      price_plan: `${corporation} prices`,
    });
    moved.add('payments', {
      corporation,
      billing_account: name,
      amount: (Math.floor(amount * 100 + 1e-6) / 100).toFixed(2),
      reference: 'move-in jasmin',
      note: 'Balance of the former system',
    });
  }
  moved.add('service-accounts', {
    corporation,
    name,
    department: group,
    billing_account: amount !== undefined && amount > 0 ? name : undefined,
    contact_email: contact,
    scopes: ['messages:send', 'messages:read', 'balance:read'],
    doors: ['jasmin'],
    enabled: credential('authorization http_send') === 'False' ? false : undefined,
  });
  moved.add('service-account-keys', { service_account: name, name: 'Jasmin' });
  moved.note(
    'differs',
    command,
    `User "${name}" gets a new key: the user name is its first 14 characters, the password the whole key. Applying shows it.`,
  );
  if (credential('authorization smpps_send') !== 'False' && shown.text('smpps_cred authorization bind') !== 'False')
    moved.note(
      'differs',
      command,
      `For binds of "${name}" create an SMPP system ID in the console: jcli does not show the password.`,
    );
  const sender = credential('defaultvalue src_addr');
  if (sender !== undefined) addSender(moved, corporation, sender);
  for (const [path, usual] of [
    ['valuefilter src_addr', '.*'],
    ['valuefilter dst_addr', '.*'],
    ['valuefilter content', '.*'],
    ['quota sms_count', undefined],
    ['quota http_throughput', undefined],
    ['quota smpps_throughput', undefined],
  ] as const) {
    const value = credential(path);
    if (value !== undefined && value !== usual)
      moved.note(
        'refused',
        shown.place(`mt_messaging_cred ${path}`, command),
        `${path} ${value} of "${name}" is not taken over: sending limits and moderation bound programs here.`,
      );
  }
}
