import { type Edge, type Fits, isWord, type Part, PatternReader, Unreadable } from './pattern-reader.ts';

// Regular expressions of mappings. Their time grows with the length of the text and of the expression only, whatever
// they are: all ways through an expression are followed at the same time (Thompson), and none is tried again.

/** Maximum characters of an expression, steps of its program, and characters of a text that it sees. */
const MOST_SOURCE = 200;
const MOST_STEPS = 1_000;
const MOST_SEEN = 4_000;

type Step =
  | { op: 'character'; fits: Fits }
  | { op: 'edge'; edge: Edge }
  | { op: 'split'; first: number; second: number }
  | { op: 'save'; slot: 'from' | 'to' }
  | { op: 'match' };

/** Text that an expression found: the whole, and its first group if it took part. */
export interface Found {
  whole: string;
  group: string | undefined;
}

/** Writes the program of an expression. */
function compile(part: Part, steps: Step[]): void {
  if (steps.length > MOST_STEPS) throw new Unreadable();
  switch (part.kind) {
    case 'character':
      steps.push({ op: 'character', fits: part.fits });
      return;
    case 'edge':
      steps.push({ op: 'edge', edge: part.edge });
      return;
    case 'sequence':
      for (const each of part.parts) compile(each, steps);
      return;
    case 'group':
      if (part.first) steps.push({ op: 'save', slot: 'from' });
      compile(part.part, steps);
      if (part.first) steps.push({ op: 'save', slot: 'to' });
      return;
    case 'either':
      compileEither(part.parts, steps);
      return;
    case 'repeat':
      compileRepeat(part, steps);
  }
}

const split = (steps: Step[]): Extract<Step, { op: 'split' }> => {
  const step = { op: 'split' as const, first: steps.length + 1, second: steps.length + 1 };
  steps.push(step);
  return step;
};

function compileEither(parts: readonly Part[], steps: Step[]): void {
  const ends: Extract<Step, { op: 'split' }>[] = [];
  for (const [place, part] of parts.entries()) {
    const isLast = place === parts.length - 1;
    const choice = isLast ? undefined : split(steps);
    compile(part, steps);
    if (!choice) break;
    ends.push(split(steps));
    choice.second = steps.length;
  }
  for (const end of ends) end.first = end.second = steps.length;
}

function compileRepeat({ part, least, most, lazy }: Extract<Part, { kind: 'repeat' }>, steps: Step[]): void {
  for (let count = 0; count < least; count++) compile(part, steps);
  const optional = most === Number.POSITIVE_INFINITY ? 1 : most - least;
  const skips: Extract<Step, { op: 'split' }>[] = [];
  for (let count = 0; count < optional; count++) {
    const at = steps.length;
    skips.push(split(steps));
    compile(part, steps);
    if (most !== Number.POSITIVE_INFINITY) continue;
    const back = split(steps);
    back.first = back.second = at;
  }
  for (const skip of skips) {
    const inside = skip.first;
    skip.first = lazy ? steps.length : inside;
    skip.second = lazy ? inside : steps.length;
  }
}

/** Place in a program, with the places of the text that were noted on the way. */
interface Way {
  step: number;
  begun: number;
  from: number;
  to: number;
}

/** Regular expression that ignores case and takes linear time; it sees the first 4,000 characters of a text. */
export class LinearPattern {
  readonly #steps: readonly Step[];
  /** Whether it fits only from the start of a text, so that no other place is tried. */
  readonly #isAnchored: boolean;

  private constructor(steps: readonly Step[]) {
    this.#steps = steps;
    const [first] = steps;
    this.#isAnchored = first?.op === 'edge' && first.edge === 'start';
  }

  /** Compiles an expression; undefined if it is none, is too long, looks around, or refers to a group. */
  static of(source: string): LinearPattern | undefined {
    if (source.length > MOST_SOURCE) return undefined;
    const steps: Step[] = [];
    try {
      compile(new PatternReader(source).read(), steps);
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
    steps.push({ op: 'match' });
    return new LinearPattern(steps);
  }

  test(text: string): boolean {
    return this.find(text) !== undefined;
  }

  /** Finds the first place where the expression fits; undefined if there is none. */
  find(given: string): Found | undefined {
    const text = given.slice(0, MOST_SEEN);
    let best: (Way & { end: number }) | undefined;
    let ways: Way[] = [];
    for (let at = 0; at <= text.length; at++) {
      const here: Way[] = [];
      const seen = new Set<number>();
      for (const way of ways) this.#follow(way, text, at, here, seen);
      if (!best) this.#follow({ step: 0, begun: at, from: -1, to: -1 }, text, at, here, seen);
      if (here.length === 0 && (best || this.#isAnchored)) break;
      ways = [];
      for (const way of here) {
        const step = this.#steps[way.step]!;
        if (step.op === 'match') {
          best = { ...way, end: at };
          break;
        }
        if (step.op === 'character' && at < text.length && step.fits(text.charCodeAt(at)))
          ways.push({ ...way, step: way.step + 1 });
      }
    }
    if (!best) return undefined;
    const { begun, end, from, to } = best;
    return { whole: text.slice(begun, end), group: from < 0 || to < from ? undefined : text.slice(from, to) };
  }

  /** Adds the steps that a way reaches without taking a character, in the order of their preference. */
  #follow(way: Way, text: string, at: number, here: Way[], seen: Set<number>): void {
    if (seen.has(way.step)) return;
    seen.add(way.step);
    const step = this.#steps[way.step]!;
    if (step.op === 'split') {
      this.#follow({ ...way, step: step.first }, text, at, here, seen);
      this.#follow({ ...way, step: step.second }, text, at, here, seen);
    } else if (step.op === 'save') this.#follow({ ...way, step: way.step + 1, [step.slot]: at }, text, at, here, seen);
    else if (step.op === 'edge') {
      if (isAt(step.edge, text, at)) this.#follow({ ...way, step: way.step + 1 }, text, at, here, seen);
    } else here.push(way);
  }
}

function isAt(edge: Edge, text: string, at: number): boolean {
  if (edge === 'start') return at === 0;
  if (edge === 'end') return at === text.length;
  const before = at > 0 && isWord(text.charCodeAt(at - 1));
  const after = at < text.length && isWord(text.charCodeAt(at));
  return (before !== after) === (edge === 'word');
}
