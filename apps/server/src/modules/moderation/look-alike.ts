import { parse } from 'tldts';
import { shownHost } from './find-links.ts';

/** Letters and digits that people take for a Latin letter. */
const ALIKE = new Map(
  Object.entries({
    o: '0οоօ٥۵০',
    l: '1iıіӏǀ|ιłɩ',
    e: '3еє℮ҽ',
    s: '5ѕ$ʂ',
    a: '4@аαɑ',
    b: '8ьвβ',
    t: '7тτ',
    g: '9ɡց',
    c: 'сϲᴄ',
    p: 'рρ',
    x: 'хχ',
    y: 'уγ',
    k: 'кκ',
    h: 'һн',
    m: 'мⅿ',
    n: 'ոпη',
    u: 'υսц',
    v: 'νѵ',
    w: 'ԝωш',
    d: 'ԁ',
    j: 'ј',
    q: 'ԛ',
    r: 'гᴦ',
  }).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
);

/** Returns the registered name of a host as a hasty reader sees it, such as `bank` of `b4nk.example.com`'s `b4nk`. */
export function skeletonOf(host: string): string {
  const { domainWithoutSuffix } = parse(host, { extractHostname: false, validateHostname: false });
  const name = shownHost(domainWithoutSuffix ?? host)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
  const letters = [...name].map((each) => ALIKE.get(each) ?? each).join('');
  return letters.replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll(/[-_.]/g, '');
}

/** Fewest letters of a name from which one wrong letter makes a look-alike: shorter ones are too often real. */
const LONG = 5;

/** Tells if one name passes for the other: the same skeleton, or one letter changed, added, left out or swapped. */
export function looksLike(one: string, other: string): boolean {
  if (one === other) return true;
  if (Math.min(one.length, other.length) < LONG || Math.abs(one.length - other.length) > 1) return false;
  let begin = 0;
  while (begin < one.length && one[begin] === other[begin]) begin++;
  let end = 0;
  while (end < Math.min(one.length, other.length) - begin && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [a, b] = [one.slice(begin, one.length - end), other.slice(begin, other.length - end)];
  return a.length + b.length <= 2 || (a.length === 2 && b === a[1]! + a[0]!);
}
