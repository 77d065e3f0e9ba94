import { domainToUnicode } from 'node:url';
import { parse } from 'tldts';

/** Host that a phone opens when a person touches a link of a text. */
export interface FoundHost {
  /** Host in the form of DNS: small letters, `xn--` for other scripts, no dot at the end. */
  host: string;
  isAddress: boolean;
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Full stop of Chinese and Japanese between a word and Latin letters, which phones read as a dot. */
const WIDE_DOT = /(?<=[\p{L}\p{N}])。(?=[a-z0-9])/giu;
const SCHEME = /[a-z][a-z0-9+.-]{0,30}:[\\/]{2,}/gi;
const AUTHORITY = /[^\s\\/?#<>"]*/y;
const HOST = /^(?:\[[0-9a-f:.%]+\]|[\p{L}\p{M}\p{N}._~%-]+)/iu;
/** Rest of an address, which leads to no other host. A backslash is none: some programs read it as a part of the host. */
const REST = /(?::\d+)?(?:[/?#][^\s\\<>"，。、；！？）】》」]*)?/y;
const RUN = /[\p{L}\p{M}\p{N}_.-]+/gu;
const FOUR_NUMBERS = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$/;
/** Scripts without blanks between words: a link begins and ends where Latin letters do. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const EDGE = /(?<=[\p{L}\p{N}])(?=[\p{L}\p{N}])/gu;

/**
 * Finds the hosts of the links in a text, as phones find them: with and without a scheme, in any case or script, with
 * percent-encoding, user names and ports. Email addresses are none. The time is linear in the length of the text.
 */
export function findHosts(text: string): FoundHost[] {
  if (!/[.．｡。]|:[\\/]/.test(text)) return [];
  const clean = text.replace(INVISIBLE, '').normalize('NFKC').replace(WIDE_DOT, '.');
  const found = new Map<string, FoundHost>();
  const add = (host: FoundHost | null) => host && found.set(host.host, host);
  let rest = '';
  let from = 0;
  for (const { 0: scheme, index } of clean.matchAll(SCHEME)) {
    if (index < from) continue;
    const begin = index + scheme.length;
    const authority = matchAt(AUTHORITY, clean, begin);
    const at = authority.lastIndexOf('@') + 1;
    const host = HOST.exec(authority.slice(at))?.[0] ?? '';
    if (host === '') continue;
    add(withScheme(host));
    rest += `${clean.slice(from, index)} `;
    from = begin + at + host.length;
    from += matchAt(REST, clean, from).length;
  }
  for (const host of withoutScheme(rest + clean.slice(from))) add(host);
  return [...found.values()];
}

/** Returns a host as people read it: the letters of its script instead of `xn--`. */
export const shownHost = (host: string): string => domainToUnicode(host) || host;

/** Returns a host in the form of DNS; null for a text that can be none. */
export function canonicalHost(host: string): string | null {
  const bare = host.replace(/^[._~-]+|[._~-]+$/g, '');
  if (bare === '' || !URL.canParse(`http://${bare}/`)) return null;
  return new URL(`http://${bare}/`).hostname.replace(/\.+$/, '') || null;
}

/** Tells if a host of DNS is a name under a suffix that can be registered, such as `example.com.ph`. */
export const isRegistrable = (host: string): boolean => {
  const { domain, isIcann } = parse(host, { extractHostname: false, validateHostname: false });
  return domain !== null && isIcann === true;
};

const isAddress = (host: string) => host.startsWith('[') || FOUR_NUMBERS.test(host);

function withScheme(raw: string): FoundHost {
  const whole = canonicalHost(raw);
  // No phone opens a host that cannot be read, but nobody knows what the next program makes of it.
  if (whole === null) return { host: raw.toLowerCase(), isAddress: false };
  if (isAddress(whole)) return { host: whole, isAddress: true };
  return (isRegistrable(whole) ? null : namesIn(raw)[0]) ?? { host: whole, isAddress: false };
}

function* withoutScheme(text: string): Generator<FoundHost> {
  let after = 0;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (index < after || !run.includes('.')) continue;
    const end = index + run.length;
    const isEmail = text[index - 1] === '@' && /[\p{L}\p{N}._%+-]/u.test(text[index - 2] ?? '');
    if (isEmail && !/^(?:\/|:\d)/.test(text.slice(end, end + 2))) continue;
    // The first half of an email address.
    if (text[end] === '@') continue;
    const names = namesIn(run);
    yield* names;
    if (names.length > 0) after = end + matchAt(REST, text, end).length;
  }
}

/** Returns the names and addresses in a run of letters, digits and dots. */
function namesIn(run: string): FoundHost[] {
  return run.split(/\.{2,}/).flatMap((piece) => {
    if (!piece.includes('.')) return [];
    return byScript(piece).flatMap((part): FoundHost[] => {
      const bare = part.replace(/^[._-]+|[._-]+$/g, '');
      if (!bare.includes('.')) return [];
      if (FOUR_NUMBERS.test(bare)) return [{ host: bare, isAddress: true }];
      // Numbers, amounts and abbreviations are no names, and are by far the most.
      if (/\.[\d_-]*$|\.[^.]$/u.test(bare)) return [];
      const host = canonicalHost(bare);
      return host !== null && isRegistrable(host) ? [{ host, isAddress: false }] : [];
    });
  });
}

/** Splits a run where a script without blanks meets Latin letters or digits. */
function byScript(run: string): string[] {
  if (!UNSPACED.test(run)) return [run];
  const parts: string[] = [];
  let from = 0;
  for (const { index } of run.matchAll(EDGE)) {
    const [before, behind] = [run.slice(0, index), run.slice(index)].map((part, nth) =>
      nth ? part[0]! : part.at(-1)!,
    );
    if (UNSPACED.test(before!) === UNSPACED.test(behind!)) continue;
    parts.push(run.slice(from, index));
    from = index;
  }
  return [...parts, run.slice(from)];
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
