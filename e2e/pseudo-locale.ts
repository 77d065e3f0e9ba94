import { without } from './screen-reader.ts';

/** Letters of pseudo texts; each is read like its plain one. */
const ACCENTED = new Map(
  [...'abcdefghijklmnopqrstuvwxyz'].map((letter, at) => [letter, [...'åƀçđéƒĝĥíĵķļɱñöþɋŕšţûṽŵẋýž'][at]!]),
);
/** A pseudo text is longer than the English one by this share, as German and Filipino are. */
const LONGER = 0.4;
/** Parts that stay: values that are filled in, merge fields and addresses. */
const KEPT = /(\{\{[^}]*\}\}|\{\w+\}|https?:\/\/\S+|\S+@\S+)/;

type Tree = { [key: string]: string | Tree };

const pseudo = (text: string): string => text.split('\n').map(pseudoLine).join('\n');

function pseudoLine(line: string): string {
  if (line.trim() === '') return line;
  const words = line.trim().split(KEPT);
  const written = words.map((part, at) =>
    at % 2 === 1 ? part : part.replace(/[a-z]/gi, (letter) => ACCENTED.get(letter) ?? letter),
  );
  const letters = words.filter((_, at) => at % 2 === 0).join('').length;
  // Long texts break into lines, so the longer part has words too.
  const more = 'öööö '.repeat(Math.ceil((letters * LONGER) / 5)).slice(0, Math.ceil(letters * LONGER));
  return line.replace(line.trim(), () => `⟦${written.join('')} ${more.trim()}⟧`);
}

/** Returns English texts as a language that nobody speaks: with accents, 40 % longer, each line between ⟦ and ⟧. */
export const pseudoTexts = (texts: Tree): Tree =>
  Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [key, typeof value === 'string' ? pseudo(value) : pseudoTexts(value)]),
  );

/** Returns what is left of a line without its pseudo texts; they may hold each other. */
function withoutPseudo(line: string): string {
  const rest = line.replace(/⟦[^⟦⟧]*⟧/g, ' ');
  return rest === line ? rest : withoutPseudo(rest);
}

/** Words that are no texts: names of settings, merge fields, addresses, methods, keys, file formats, and each language's own name. */
const NO_TEXTS =
  /\b[a-z]+(?:[-_.:][a-z\d]+)+\b|\{\w+\}|https?:\S+|\b(?:heliograph|Ctrl|English|Filipino|Philippines|GET|POST|PUT|PATCH|DELETE|CSV|PDF|Chrome, Linux)\b/gi;
/** Days, months and relative times, which the browser writes. */
const TIMES =
  /\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*|[ap]m|yesterday|now|(?:in )?\d+ [a-z]+\.?(?: ago)?)(?![a-z])/gi;

/** Tells words from names of columns and screens, which are a single small word. */
const isWords = (rest: string) => /[a-z]{3}/i.test(rest) && !/^[a-z]+$/.test(rest.trim());

/** Returns the lines with words that come neither from a pseudo text nor from the server's data. */
export function untranslatedIn(lines: readonly string[], data: ReadonlySet<string>): string[] {
  const texts = [...data].sort((a, b) => b.length - a.length);
  return lines
    .filter((line) => isWords(without(withoutPseudo(line), texts).replace(NO_TEXTS, '').replace(TIMES, '')))
    .map((line) => `not translated: ${line}`);
}

/** Returns the pseudo texts that their element cuts off; runs in the page. */
export function cutTexts(): string[] {
  const isCut = (element: HTMLElement) => {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.includes('⟦'));
    if (!own || !element.checkVisibility({ visibilityProperty: true })) return false;
    const { overflowX, overflowY, clipPath } = getComputedStyle(element);
    if (clipPath !== 'none') return false; // only for people who listen
    const wide = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
    // Texts that are cut on purpose have a title.
    return (wide || (overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1)) && !element.title;
  };
  return [...document.querySelectorAll<HTMLElement>('body *')]
    .filter(isCut)
    .map((element) => `cut off: ${element.textContent}`);
}
