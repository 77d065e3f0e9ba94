import type { KannelGroup } from './kannel-file.ts';
import type { Moved, MoveInOptions } from './moved.ts';

/** Makes a service account with a key of each group `sendsms-user`, and sender IDs of their senders. */
export function addPrograms(moved: Moved, groups: readonly KannelGroup[], options: MoveInOptions): void {
  const { corporation, contact } = options;
  for (const group of groups) {
    const name = group.text('username') ?? group.text('name') ?? `line ${group.place.line}`;
    group.text('password');
    group.text('name');
    moved.add('service-accounts', {
      corporation,
      name,
      contact_email: contact,
      scopes: ['messages:send', 'messages:read'],
      doors: ['kannel'],
      allowed_ips: addressesOf(moved, group),
    });
    moved.add('service-account-keys', { service_account: name, name: 'Kannel' });
    moved.note(
      'differs',
      group.place,
      `sendsms-user "${name}" gets a new key: the user name is its first 14 characters, the password the whole key. Applying shows it.`,
    );
    for (const setting of ['default-sender', 'faked-sender']) {
      const sender = group.text(setting);
      if (sender !== undefined) addSender(moved, corporation, sender);
      if (sender !== undefined)
        moved.note(
          'differs',
          group.placeOf(setting),
          `The program must give from=${sender} in each request: a key has no sender of its own.`,
        );
    }
    for (const setting of ['forced-smsc', 'default-smsc'])
      if (group.text(setting) !== undefined)
        moved.note(
          'differs',
          group.placeOf(setting),
          `A route decides the link: make one for corporation "${corporation}" or for a sender ID of "${name}".`,
        );
    if (group.text('dlr-url') !== undefined)
      moved.note('differs', group.placeOf('dlr-url'), 'The program gives dlr-url and dlr-mask in each request.');
    group.text('concatenation');
    if (group.number('max-messages') !== undefined)
      moved.note(
        'differs',
        group.placeOf('max-messages'),
        'A text has as many parts as it needs; moderation and sending limits bound it.',
      );
  }
}

/** Adds a sender ID once. */
export function addSender(moved: Moved, corporation: string, sender: string): void {
  const address = sender.replace(/^\+/, '');
  if (moved.of('sender-ids').some((each) => each['sender_id'] === address)) return;
  moved.add('sender-ids', { corporation, sender_id: address });
}

/** Addresses from which a key may be used: stars become a network. */
function addressesOf(moved: Moved, group: KannelGroup): string[] | undefined {
  const denied = group.list('user-deny-ip');
  const allowed = group.list('user-allow-ip');
  const networks = allowed.flatMap((address) => {
    const parts = address.split('.');
    const stars = parts.filter((part) => part === '*').length;
    const known = parts.slice(0, 4 - stars);
    if (parts.length !== 4 || known.includes('*') || !known.every((part) => /^\d{1,3}$/.test(part))) {
      moved.note('refused', group.placeOf('user-allow-ip'), `The address ${address} is no network, and was left out.`);
      return [];
    }
    if (stars === 4) return [];
    return [stars === 0 ? address : `${[...known, ...Array<string>(stars).fill('0')].join('.')}/${8 * (4 - stars)}`];
  });
  if (denied.length > 0 && !denied.includes('*.*.*.*'))
    moved.note(
      'refused',
      group.placeOf('user-deny-ip'),
      'A key names the addresses that may use it, and none that may not.',
    );
  return networks.length > 0 ? networks : undefined;
}

/** Makes inbound routings of the groups `sms-service`, for each number of the options. */
export function addServices(moved: Moved, groups: readonly KannelGroup[], options: MoveInOptions): void {
  const { corporation, numbers } = options;
  if (groups.length > 0 && numbers.length === 0) {
    moved.note(
      'refused',
      groups[0]!.place,
      'Kannel does not say to which number phones write. Name it with --number 2345, once for each number.',
    );
    // One note is enough for all of their settings.
    for (const group of groups) for (const setting of group.rest()) group.text(setting);
    return;
  }
  for (const group of groups) {
    const word = group.text('keyword');
    const action = actionOf(moved, group);
    const aliases = group.list('aliases');
    group.text('catch-all');
    group.text('concatenation');
    if (!action) continue;
    if (word === undefined) {
      moved.note('refused', group.place, 'A routing needs a keyword: keyword-regex is not possible.');
      continue;
    }
    for (const number of numbers)
      moved.add('routings', { corporation, number, keyword: word === 'default' ? undefined : word, ...action });
    if (aliases.length > 0) moved.add('aliases', { corporation, word, aliases });
    if (group.list('accepted-smsc').length > 0)
      moved.note(
        'differs',
        group.placeOf('accepted-smsc'),
        'A routing belongs to a number, whichever link it comes from.',
      );
  }
}

function actionOf(moved: Moved, group: KannelGroup): Record<string, unknown> | undefined {
  const answers = group.number('max-messages') !== 0;
  const text = group.text('text');
  if (text !== undefined) {
    if (/%[a-zA-Z]/.test(text))
      moved.note('differs', group.placeOf('text'), 'An automatic answer has no escapes such as %k: edit the text.');
    return { action: 'inbox', valid_reply_message: answers ? text : undefined };
  }
  for (const [setting, method] of [
    ['get-url', 'GET'],
    ['post-url', 'POST'],
  ] as const) {
    const url = group.text(setting);
    if (url === undefined) continue;
    moved.note(
      'differs',
      group.placeOf(setting),
      'The call has the names of parameters of this platform; the guide on routings lists them.',
    );
    return { action: 'url', url: withoutEscapes(url), method, reply_with_answer: answers };
  }
  const other = ['file', 'exec', 'post-xml'].find((setting) => group.text(setting) !== undefined);
  moved.note(
    'refused',
    group.place,
    `A service by ${other ?? 'none of get-url, post-url and text'} is not possible: call an address of yours.`,
  );
  return undefined;
}

/** Removes the parameters whose values Kannel fills in. */
function withoutEscapes(url: string): string {
  const [path, query] = [url.replace(/\?.*$/s, ''), url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''];
  const fixed = query.split('&').filter((part) => part !== '' && !/%[a-zA-Z](?![0-9a-fA-F])|=%[a-zA-Z]$/.test(part));
  return fixed.length > 0 ? `${path}?${fixed.join('&')}` : path;
}
