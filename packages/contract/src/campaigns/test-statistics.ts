/** Recipients of a variant, and those of them with the result that decides. */
export interface Observed {
  recipients: number;
  successes: number;
}

/** Figures that a test has about a variant. All figures are shares from 0 to 1. */
export interface Standing {
  rate: number;
  low: number;
  high: number;
  best: number;
  loss: number;
}

/**
 * Compares variants by Beta distributions with an even prior, Beta(1, 1). The integrals are sums over fixed points, so
 * equal counts always give equal figures.
 */
export function compareVariants(observed: readonly Observed[]): Standing[] {
  const all = observed.map(({ recipients, successes }) => {
    const hits = Math.min(Math.max(0, successes), recipients);
    return { hits, recipients, beta: new Beta(1 + hits, 1 + recipients - hits) };
  });
  const best = all.map(() => 0);
  const bounds = all.flatMap(({ beta }) => beta.edges());
  let highest = 0;
  for (const [place, { beta }] of all.entries()) {
    for (const { x, weight } of beta.points(bounds)) {
      let others = 1;
      for (const [other, each] of all.entries()) if (other !== place) others *= each.beta.below(x);
      best[place]! += weight * others;
      highest += weight * others * x;
    }
  }
  return all.map(({ hits, recipients, beta }, place) => ({
    rate: recipients === 0 ? 0 : hits / recipients,
    low: beta.quantile(0.025),
    high: beta.quantile(0.975),
    best: Math.min(1, best[place]!),
    loss: Math.max(0, highest - beta.mean),
  }));
}

/**
 * Returns the interval that contains the true share with a chance of `level`, by a Beta distribution with an even prior.
 * The counts need not be whole: a sample whose recipients are alike counts less.
 */
export function intervalOf({ recipients, successes }: Observed, level = 0.95): { low: number; high: number } {
  const beta = new Beta(1 + successes, 1 + recipients - successes);
  return { low: beta.quantile((1 - level) / 2), high: beta.quantile((1 + level) / 2) };
}

/**
 * Returns the smallest difference of two rates that a test finds in 8 of 10 cases, as a share. It uses the normal
 * approximation; with more than two variants each must pass all others.
 */
export function detectableDifference(of: {
  /** Recipients of each variant. */
  recipients: number;
  variants: number;
  /** Share of successes that is expected. */
  rate: number;
  /** Certainty from 0 to 1. */
  certainty: number;
}): number {
  const { recipients, variants, rate, certainty } = of;
  if (recipients < 1 || variants < 2) return 1;
  const z = normalQuantile(1 - (1 - certainty) / (variants - 1)) + normalQuantile(POWER);
  return Math.min(1, z * Math.sqrt((2 * rate * (1 - rate)) / recipients));
}

/** Share of tests that find a difference of the shown size. */
const POWER = 0.8;

/** Standard deviations around the mean in which the points lie. Beyond them is less than any figure shows. */
const REACH = 40;
/** Standard deviations around the mean in which a distribution changes. */
const CHANGES = 8;
/** Points of a panel at most as wide as half a standard deviation: Gauss and Legendre's rule of eight points. */
const NODES = [0.1834346424956498, 0.525532409916329, 0.7966664774136267, 0.9602898564975363];
const WEIGHTS = [0.362683783378362, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763];
/** Density below which a point adds nothing. */
const NOTHING = -60;

/** Beta distribution of a rate. */
class Beta {
  readonly #a: number;
  readonly #b: number;
  readonly #scale: number;
  readonly mean: number;
  readonly #deviation: number;

  constructor(a: number, b: number) {
    this.#a = a;
    this.#b = b;
    this.#scale = logGamma(a + b) - logGamma(a) - logGamma(b);
    this.mean = a / (a + b);
    this.#deviation = Math.sqrt((a * b) / ((a + b) ** 2 * (a + b + 1)));
  }

  #logDensity(x: number): number {
    return this.#scale + (this.#a - 1) * Math.log(x) + (this.#b - 1) * Math.log1p(-x);
  }

  /** Returns bounds of panels that are fine where this distribution changes. */
  edges(): number[] {
    const around = Array.from({ length: 4 * CHANGES + 1 }, (_, at) => this.mean + (at / 2 - CHANGES) * this.#deviation);
    return [0, ...around, 1];
  }

  /**
   * Returns the points of an integral over this distribution, with their weights, which add up to 1. The bounds of other
   * distributions are bounds of panels too, because a steep one would be lost between the points of a flat one.
   */
  points(bounds: readonly number[]): { x: number; weight: number }[] {
    const from = Math.max(0, this.mean - REACH * this.#deviation);
    const to = Math.min(1, this.mean + REACH * this.#deviation);
    const steps = Math.ceil((to - from) / this.#deviation) * 2;
    const own = Array.from({ length: steps + 1 }, (_, at) => from + ((to - from) * at) / steps);
    const inside = bounds.filter((bound) => bound > from && bound < to);
    const edges = [...own, ...inside].sort((one, other) => one - other);
    const points: { x: number; weight: number }[] = [];
    let sum = 0;
    for (let panel = 1; panel < edges.length; panel++) {
      const half = (edges[panel]! - edges[panel - 1]!) / 2;
      if (half <= 0) continue;
      const middle = (edges[panel]! + edges[panel - 1]!) / 2;
      for (const [at, node] of NODES.entries())
        for (const x of [middle - node * half, middle + node * half]) {
          const logWeight = this.#logDensity(x) + Math.log(half);
          if (logWeight < NOTHING) continue;
          const weight = Math.exp(logWeight) * WEIGHTS[at]!;
          sum += weight;
          points.push({ x, weight });
        }
    }
    return points.map(({ x, weight }) => ({ x, weight: weight / sum }));
  }

  /** Returns the chance that the rate is below `x`: the regularized incomplete beta function. */
  below(x: number): number {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const distance = (x - this.mean) / this.#deviation;
    if (distance > REACH) return 1;
    if (distance < -REACH) return 0;
    const front = Math.exp(this.#scale + this.#a * Math.log(x) + this.#b * Math.log1p(-x));
    return x < (this.#a + 1) / (this.#a + this.#b + 2)
      ? (front * fraction(this.#a, this.#b, x)) / this.#a
      : 1 - (front * fraction(this.#b, this.#a, 1 - x)) / this.#b;
  }

  /** Returns the rate below which the given share lies, by halving. */
  quantile(share: number): number {
    let low = 0;
    let high = 1;
    for (let step = 0; step < 60; step++) {
      const middle = (low + high) / 2;
      if (this.below(middle) < share) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  }
}

const TINY = 1e-300;
const MOST_STEPS = 20_000;

/** Continued fraction of the incomplete beta function, by Lentz's method (Numerical Recipes 6.4). */
function fraction(a: number, b: number, x: number): number {
  const bounded = (value: number) => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / bounded(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m < MOST_STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / bounded(1 + even * d);
    c = bounded(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / bounded(1 + odd * d);
    c = bounded(1 + odd / c);
    const step = d * c;
    result *= step;
    if (Math.abs(step - 1) < 1e-14) break;
  }
  return result;
}

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** Returns the logarithm of the gamma function of a number of at least 1, by Lanczos' series. */
function logGamma(value: number): number {
  const z = value - 1;
  const base = z + LANCZOS.length - 0.5;
  const series = LANCZOS.reduce((sum, coefficient, at) => sum + coefficient / (z + at + 1), 0.9999999999998099);
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(base) - base + Math.log(series);
}

/** Returns the quantile of the normal distribution for a share between 0 and 1, by halving. */
function normalQuantile(share: number): number {
  let low = -10;
  let high = 10;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (normalBelow(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Returns the share of the normal distribution below `z`, to seven places (Abramowitz and Stegun 26.2.17). */
function normalBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z < 0 ? tail : 1 - tail;
}
