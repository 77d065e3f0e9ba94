/** Words and phrases that an operator might block: short and long, in several languages and scripts. */
export const PHRASES: readonly string[] = `
  ass|sex|anal|rape|tit|cock|porn|xxx|cialis|viagra|xanax|valium|casino|jackpot|roulette|blackjack|baccarat|sabong|e-sabong|lottery
  guaranteed winner|send your PIN|free money|easy cash|cash prize|you have won|claim your prize|winning number|lucky draw|bonus credit
  wire transfer|gift card|verify your account|account suspended|click the link|reset your password|one-time password|share your OTP|bank details|card number
  crypto profit|double your money|passive income|get rich quick|work from home|no credit check|instant loan|payday loan|debt relief|low interest
  miracle cure|weight loss|diet pills|male enhancement|online pharmacy|no prescription|cheap meds|fake passport|fake diploma|stolen goods
  hot girls|adult dating|escort service|nude photos|live cams|strip club|massage girls|sugar daddy|hookup tonight|meet singles
  shabu|marijuana|cocaine|heroin|ecstasy|ketamine|methamphetamine|opium|amphetamine|fentanyl
  kill|bomb|terror|hostage|gun sale|ammunition|explosives|hitman|assassin|ransom
  vote buying|sell your vote|election fraud|fake news|secret society|pyramid scheme|ponzi|multilevel|chain letter|advance fee
  inheritance fund|foreign prince|unclaimed funds|tax refund|customs fee|parcel held|delivery fee|prepaid card|bitcoin wallet|seed phrase
  manalo ng pera|libreng load|pautang agad|walang collateral|premyo mo|nanalo ka|ipadala ang PIN|mabilis na utang|sugal|pustahan
  dinero gratis|usted ha ganado|premio seguro|apuestas|préstamo inmediato|tarjeta bloqueada|clave secreta|sorteo ganador|dinero fácil|ruleta
  argent facile|gagnant garanti|prêt immédiat|carte bloquée|loterie|machine à sous|code secret|virement urgent|rencontre coquine|pilule miracle
  Gewinnspiel|Sofortkredit|Geheimzahl|Glücksspiel|Konto gesperrt|schnelles Geld|Spielautomat|Lotterie|Wettbüro|Kredit ohne Schufa
  boss slot|mega wager|betting tips|sure win|match fixing|free spins|slot machine|poker room|high roller|bookmaker
  loan shark|quick peso|cash now|apply today|limited slots|act immediately|final warning|legal action|arrest warrant|court summons
  whatsapp job|part time job|data entry job|like and earn|task and earn|earn daily|investment group|trading signals|forex robot|binary options
  казино|лотерея|быстрый кредит|вы выиграли|ставки|azart igra|odds boost|cash out|risk free|money mule
  免費金錢|賭場|賭博|中獎|博彩|贷款|色情|彩票|赌场|快速致富
  คาสิโน|カジノ|宝くじ|무료 머니|카지노|قمار|יانصيب|δωρεάν χρήματα|100% free|win 777`
  .split(/[|\n]/)
  .map((phrase) => phrase.trim())
  .filter(Boolean);

/** Returns a generator of random numbers that depend only on the seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
type Random = () => number;
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

const HOMOGLYPHS: Readonly<Record<string, string>> = {
  a: 'аɑα',
  b: 'Ь',
  c: 'сϲ',
  d: 'ԁ',
  e: 'еҽ',
  g: 'ɡ',
  h: 'һ',
  i: 'іı',
  j: 'ј',
  k: 'к',
  l: 'ӏ',
  m: 'м',
  n: 'ո',
  o: 'оοօ',
  p: 'рρ',
  q: 'ԛ',
  s: 'ѕ',
  t: 'т',
  u: 'υս',
  v: 'ѵν',
  w: 'ԝ',
  x: 'хχ',
  y: 'уү',
};
const LEET: Readonly<Record<string, string>> = {
  a: '4@',
  b: '8',
  e: '3',
  g: '9',
  i: '1!|',
  l: '1|',
  o: '0',
  s: '5$',
  t: '7+',
  z: '2',
};
const UNSEEN = ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u034f', '\ufe0f', '\u202c'];
const ACCENTS = ['\u0301', '\u0300', '\u0302', '\u0303', '\u0308', '\u0323', '\u0336'];
const isLatin = (letter: string) => /[a-z]/i.test(letter);
const each = (text: string, change: (letter: string, at: number) => string) => [...text].map(change).join('');
const shifted = (capital: number, small: number) => (text: string) =>
  each(text, (letter) => {
    if (!/[a-z]/i.test(letter)) return letter;
    const point = letter.charCodeAt(0);
    return String.fromCodePoint(point < 97 ? capital + point - 65 : small + point - 97);
  });

/** Ways to disguise a text that a person can still read. */
const TRICKS: Readonly<Record<string, (text: string, random: Random) => string>> = {
  case: (text, random) => each(text, (letter) => (random() < 0.5 ? letter.toUpperCase() : letter.toLowerCase())),
  unseen: (text, random) => each(text, (letter) => (random() < 0.5 ? letter + pick(random, UNSEEN) : letter)),
  accents: (text, random) =>
    each(text, (letter) => (isLatin(letter) && random() < 0.6 ? letter + pick(random, ACCENTS) : letter)),
  wide: shifted(0xff21, 0xff41),
  bold: shifted(0x1d400, 0x1d41a),
  monospace: shifted(0x1d670, 0x1d68a),
  circled: shifted(0x24b6, 0x24d0),
  homoglyphs: (text, random) =>
    each(text.toLowerCase(), (letter) =>
      HOMOGLYPHS[letter] && random() < 0.7 ? pick(random, [...HOMOGLYPHS[letter]]) : letter,
    ),
  leet(text, random) {
    // Some letters must stay, otherwise the text is a number.
    let kept = 0;
    return each(text, (letter, at) => {
      const substitutes = LEET[letter.toLowerCase()];
      if (substitutes && (kept > at - kept || kept >= 3) && random() < 0.8) return pick(random, [...substitutes]);
      kept++;
      return letter;
    });
  },
  spaced: (text, random) => [...text.replace(/\s+/g, '')].join(pick(random, [' ', '  ', '\u00a0', '\u2009', '\t'])),
  parted: (text, random) =>
    [...text.replace(/\s+/g, '')].join(pick(random, ['.', '-', '_', '~', ' . ', '/', '•', '😀', '=', '#'])),
  hyphens: (text, random) =>
    each(text, (letter, at) =>
      at > 0 && isLatin(letter) && isLatin(text[at - 1] ?? '') && random() < 0.4 ? `-${letter}` : letter,
    ),
  stretched: (text, random) =>
    each(text, (letter) => (isLatin(letter) && random() < 0.4 ? letter.repeat(3 + Math.floor(random() * 3)) : letter)),
  joined: (text) => text.replace(/\s+/g, ''),
  broken: (text, random) => text.replace(/ +/g, () => pick(random, ['\n', '  ', '-', '_', ' / ', '\t', ', '])),
  capitalI: (text) => text.toLowerCase().replaceAll('l', 'I'),
  stars: (text) =>
    each(text, (letter, at) =>
      at > 0 && at < text.length - 1 && at % 3 === 1 && !text.includes(' ') && isLatin(letter) ? '*' : letter,
    ),
};
const AFTER_ANY = ['case', 'unseen', 'accents', 'broken'] as const;

const CARRIERS = [
  ['', ''],
  ['Hi! ', ''],
  ['', ' now'],
  ['Dear customer, ', '. Reply YES.'],
  ['>>> ', ' <<<'],
  ['Kumusta po, ', ' ngayong araw!'],
  ['Hola, ', ' hoy mismo'],
  ['Bonjour, ', ' !'],
  ['Hallo, ', ' jetzt'],
  ['您好，', '！'],
  ['(', ')'],
  ['Order 4711: ', ' 😀'],
  ['New:', '\nStop: 2929'],
] as const;

/** Yields disguised blocked phrases, each by one or two tricks, inside a harmless text. */
export function* evasions(seed: number, count: number): Generator<{ phrase: string; text: string; tricks: string }> {
  const random = randomOf(seed);
  const names = Object.keys(TRICKS);
  for (let made = 0; made < count; made++) {
    const phrase = pick(random, PHRASES);
    const first = pick(random, names);
    let written = TRICKS[first]!(phrase, random);
    let tricks = first;
    const second = pick(random, AFTER_ANY);
    // `capitalI` writes I for l; `case` could make it a small i, and that does not look like an l.
    if (random() < 0.35 && !(first === 'capitalI' && second === 'case')) {
      written = TRICKS[second]!(written, random);
      tricks += `+${second}`;
    }
    const [before, behind] = pick(random, CARRIERS);
    yield { phrase, text: before + written + behind, tricks };
  }
}

const NAMES = 'Maria Jose Angelica Juan Chen Wei Siti Lars Amélie Jürgen Ñiño Zoë Ivan Olga Nguyễn'.split(' ');
const THINGS =
  `classic cocktail assistant analysis titles grape cockpit Sussex Essex Middlesex Scunthorpe therapist class pass glass mass bassoon
  compass embassy analyst canal banal drape scrape parapet title constitution titanium peacock hancock cockroach pornographic-free skill killer-whale
  bombastic bombay terrain terrace gunmetal slot slots machine credit card credits account bank loan-free money moneybags cash cashier prize prizes
  winner winners lucky draw number numbers passport diploma delivery parcel refund customs password wallet group trading boost risk data job
  bonus-points interest cure pills vitamins weight massage club daddy girl girls photo singles tonight hot adult link details prescription
  pharmacy sale guns-free goods final warning notice legal court letter chain fee advance vote voters election news secret society fund`.split(
    /\s+/,
  );
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Dear {name}, your appointment at our {thing} branch is on {day} at {time}. Reply YES to confirm.',
    'Hi {name}! Your order {code} of {n} {thing} was shipped and arrives by {day}. Track it at acme.example/{code}',
    '{thing} sale this {day}: up to {n}% off all {thing} items! Visit us before {time}. PHP {n}.50 only.',
    "We'll see you at the {thing} event, {name}. It's free. Money-back if you can't come. The doors open at {time}!",
    'Your balance is $ {n}.{n} as of {day}. Ref A55-{n}, ticket B{n}055. Call +63 2 8{n} 4567.',
    'As some of you asked: the {thing} and the {thing} are back in class {n}B. A long list is at hand, no thing is left out.',
  ],
  fp: [
    'Kumusta {name}, ang inyong {thing} ay handa na sa {day} alas {n}. Bili na, pili kayo ng paborito ninyo!',
    'Paalala po: bayaran ang PHP {n} bago mag {day}. Salamat, {name}, at ingat po kayo lagi.',
    'Sana ay makita namin kayo sa {thing} ngayong {day}, {time}. Libre ang parking at may meryenda para sa lahat.',
  ],
  es: [
    'Hola {name}, su cita para {thing} es el {day} a las {time}. Si no puede venir, llame al {n}{n}.',
    'La música sí nos une: concierto de {thing} este {day}. Entradas a {n} €. ¡No se lo pierda, {name}!',
  ],
  fr: [
    "Bonjour {name}, votre commande {code} est prête. L'accès se fait par l'entrée principale dès {time}.",
    "C'est la fête ! −{n} % sur les {thing} jusqu'au {day}. À bientôt, {name}.",
  ],
  de: [
    'Guten Tag {name}, Ihr Termin am {day} um {time} Uhr ist bestätigt. Größe {n}, Farbe grün. Bitte pünktlich sein!',
    'Die Straße ist wegen Bauarbeiten bis {day} gesperrt; das Konto Ihrer Gemeinde bleibt gleich. {thing} ab {n} €.',
  ],
  zh: [
    '{name}您好，您預約的時間是{day}{time}，請準時到達。訂單編號：{code}，共{n}元。',
    '尊敬的客户，您的包裹将于{day}送达，取件码 {n}{n}。谢谢！',
  ],
  ru: [
    'Здравствуйте, {name}! Ваш заказ {code} готов, ждём вас {day} в {time}. Сор и мусор вывезем бесплатно.',
    'Скидка {n}% на всё до {day}. Рассрочка и доставка по городу, {name}.',
  ],
  th: ['สวัสดีค่ะ คุณ {name} นัดหมายของคุณคือวันที่ {day} เวลา {time} น. ขอบคุณค่ะ'],
};
const DAYS = ['5 March', 'Monday', '2026-03-05', '3/5', 'bukas', 'el lunes', '3月5日', '5 мая'];

/** Yields texts that must pass, with near misses: words that contain a blocked one, numbers, prices, codes, emoji. */
export function* cleanTexts(seed: number, count: number): Generator<string> {
  const random = randomOf(seed);
  const languages = Object.keys(TEXTS);
  const number = () => String(1 + Math.floor(random() * 999));
  const made: Readonly<Record<string, () => string>> = {
    name: () => pick(random, NAMES),
    thing: () => pick(random, THINGS),
    day: () => pick(random, DAYS),
    time: () => `${Math.floor(random() * 24)}:${pick(random, ['00', '15', '30', '45'])}`,
    n: number,
    code: () =>
      Math.floor(random() * 36 ** 6)
        .toString(36)
        .toUpperCase(),
  };
  for (let i = 0; i < count; i++) {
    const text = pick(random, TEXTS[pick(random, languages)]!).replace(/\{(\w+)\}/g, (_, field: string) =>
      made[field]!(),
    );
    yield random() < 0.2 ? `${text} ${pick(random, ['🎉', '😀👍', '!!!', '🇵🇭', '***', '$$$'])}` : text;
  }
}
