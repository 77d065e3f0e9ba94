/** Carrier of the made-up operator: what it charges in millionths, before and after its change. */
export interface Carrier {
  name: string;
  currency: string;
  on: 'submit' | 'delivery';
  cards: readonly [Readonly<Record<string, number>>, Readonly<Record<string, number>>];
  /** Charges for numbers that were ported to the network `PORTED_TO`, before and after; without them, prefixes decide. */
  ported?: readonly [number, number];
}
/** Network to which some numbers were ported, by its codes. None of the prefixes belongs to it. */
export const PORTED_TO = { mcc: '515', mnc: '66' };
export const CARRIERS: readonly Carrier[] = [
  {
    name: 'Operator North',
    currency: 'USD',
    on: 'submit',
    cards: [
      { '63': 2_300, '63917': 2_100, '63918': 1_900 },
      { '63': 2_300, '63917': 2_215, '63918': 1_875 },
    ],
    ported: [2_750, 2_815],
  },
  {
    name: 'Operator Delta',
    currency: 'EUR',
    on: 'delivery',
    cards: [
      { '63': 1_987, '63999': 2_050 },
      { '63': 2_101, '63999': 2_051 },
    ],
    ported: [2_433, 2_432],
  },
  {
    name: 'Operator Local',
    currency: 'PHP',
    on: 'submit',
    cards: [
      { '639': 130_000, '63917': 120_000, '63918': 115_500 },
      { '639': 130_000, '63917': 125_000, '63918': 115_500 },
    ],
  },
];
/** Exchange rates by the day of the month from which they count; one is written the other way round. */
export const RATES = [
  { day: 0, from: 'USD', to: 'PHP', digits: 5_725, scale: 2 },
  { day: 19, from: 'USD', to: 'PHP', digits: 57_613, scale: 3 },
  { day: 0, from: 'EUR', to: 'PHP', digits: 621_875, scale: 4 },
  { day: 9, from: 'PHP', to: 'EUR', digits: 160_804, scale: 7 },
] as const;
