/**
 * Country calling codes of the international numbering plan (ITU-T E.164), each with the region (ISO 3166-1 alpha-2)
 * that names it. A code that several regions share has the largest one. `001` stands for codes of no country.
 */
const REGIONS =
  '1US 7RU 20EG 27ZA 30GR 31NL 32BE 33FR 34ES 36HU 39IT 40RO 41CH 43AT 44GB 45DK 46SE 47NO 48PL 49DE 51PE 52MX 53CU ' +
  '54AR 55BR 56CL 57CO 58VE 60MY 61AU 62ID 63PH 64NZ 65SG 66TH 81JP 82KR 84VN 86CN 90TR 91IN 92PK 93AF 94LK 95MM 98IR ' +
  '211SS 212MA 213DZ 216TN 218LY 220GM 221SN 222MR 223ML 224GN 225CI 226BF 227NE 228TG 229BJ 230MU 231LR 232SL 233GH ' +
  '234NG 235TD 236CF 237CM 238CV 239ST 240GQ 241GA 242CG 243CD 244AO 245GW 246IO 247AC 248SC 249SD 250RW 251ET 252SO ' +
  '253DJ 254KE 255TZ 256UG 257BI 258MZ 260ZM 261MG 262RE 263ZW 264NA 265MW 266LS 267BW 268SZ 269KM 290SH 291ER 297AW ' +
  '298FO 299GL 350GI 351PT 352LU 353IE 354IS 355AL 356MT 357CY 358FI 359BG 370LT 371LV 372EE 373MD 374AM 375BY 376AD ' +
  '377MC 378SM 380UA 381RS 382ME 383XK 385HR 386SI 387BA 389MK 420CZ 421SK 423LI 500FK 501BZ 502GT 503SV 504HN 505NI ' +
  '506CR 507PA 508PM 509HT 590GP 591BO 592GY 593EC 594GF 595PY 596MQ 597SR 598UY 599CW 670TL 672NF 673BN 674NR 675PG ' +
  '676TO 677SB 678VU 679FJ 680PW 681WF 682CK 683NU 685WS 686KI 687NC 688TV 689PF 690TK 691FM 692MH 800001 808001 850KP ' +
  '852HK 853MO 855KH 856LA 870001 878001 880BD 881001 882001 883001 886TW 888001 960MV 961LB 962JO 963SY 964IQ 965KW ' +
  '966SA 967YE 968OM 970PS 971AE 972IL 973BH 974QA 975BT 976MN 977NP 979001 992TJ 993TM 994AZ 995GE 996KG 998UZ';

const regions = new Map<string, string>();
for (const entry of REGIONS.split(' ')) {
  const digits = entry.length > 4 || /^\d+$/.test(entry) ? entry.slice(0, 3) : entry.slice(0, -2);
  regions.set(digits, entry.slice(digits.length));
}
const CODES = [...regions.keys()];

/** Place of a number's code in the list, from 1, by the number's first three digits; 0 if there is none. */
const places = new Uint8Array(1_000);
for (let digits = 0; digits < 1_000; digits++) {
  const text = String(digits).padStart(3, '0');
  for (let length = 1; length <= 3 && places[digits] === 0; length++) {
    places[digits] = CODES.indexOf(text.slice(0, length)) + 1;
  }
}

/** Number of codes, plus one for numbers without a code. */
export const CALLING_CODES = CODES.length + 1;

/**
 * Returns the place of a number's calling code, below `CALLING_CODES`; 0 for none. `msisdn` is at least three digits.
 */
export function callingCodePlace(msisdn: string): number {
  return places[(msisdn.charCodeAt(0) - 48) * 100 + (msisdn.charCodeAt(1) - 48) * 10 + (msisdn.charCodeAt(2) - 48)]!;
}

/** Returns the calling code at a place; empty at 0. */
export const callingCodeAt = (place: number): string => CODES[place - 1] ?? '';

/** Returns the region that names a calling code, for `Intl.DisplayNames`; undefined if it is no calling code. */
export const regionOf = (callingCode: string): string | undefined => regions.get(callingCode);
