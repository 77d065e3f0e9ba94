import { MERGE_FIELDS } from './merge-fields.ts';

/** Returns a column's name without case, accents, blanks and marks: "Mobile No." and "MOBILE_NO" are `mobileno`. */
export const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('đ', 'd')
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** Names that other programs and people give to columns, by the field of the column. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  number: `
    numbers, msisdn, gsm, to, recipient, recipient number, destination, destination number, sms number
    phone, phone no, phone number, phone numbers, phones, telephone, telephone no, telephone number, tel, tel no, tel number
    mobile, mobiles, mobile no, mobile number, mobile numbers, mobile phone, mobile phone no, mobile phone number
    cell, cell no, cell number, cell phone, cell phone no, cell phone number, cp, cp no, cp number, hp, hp no, hp number
    handphone, handphone no, handphone number, contact no, contact number, contact numbers, contact phone, contact mobile
    手机, 手机号, 手机号码, 移动电话, 电话, 电话号, 电话号码, 联系电话, 联系方式, 联系号码, 联络电话, 号码
    手機, 手機號, 手機號碼, 行動電話, 行動電話號碼, 電話, 電話號碼, 聯絡電話, 聯繫電話, 門號, 號碼
    電話番号, 携帯, 携帯電話, 携帯番号, 携帯電話番号, 番号, 전화, 전화번호, 휴대폰, 휴대폰번호, 휴대전화, 휴대전화번호, 핸드폰, 연락처, 번호
    número, numero celular, numero de celular, celular, numero de telefono, numero de telefone, telefono, telefone, teléfono movil
    telefono celular, movil, numero movil, telemovel, telefone celular, telepono, numero ng telepono, numero ng cellphone, selpon
    numéro de téléphone, numéro, téléphone, téléphone portable, portable, mobilnummer, handy, handynummer, telefon, telefonnummer
    rufnummer, nummer, mobiltelefon, cellulare, numero cellulare, numero di telefono, numero telefono, numer telefonu, numer
    телефон, номер, номер телефона, номер телефону, мобильный, мобильный телефон, мобільний, мобільний телефон, сотовый
    сотовый телефон, тел, số điện thoại, điện thoại, sdt, nomor, nomor hp, no hp, nomor telepon, no telepon, no telp, telepon, ponsel
    nomor ponsel, telefon bimbit, no telefon, telefon numarası, cep telefonu, เบอร์โทร, เบอร์โทรศัพท์, เบอร์มือถือ, โทรศัพท์
    رقم الهاتف, الهاتف, هاتف, رقم الجوال, الجوال, جوال, موبايل, मोबाइल, मोबाइल नंबर, फ़ोन, फ़ोन नंबर`,
  content: `message, text, sms, body, sms text, message text, 内容, 短信, 短信内容, 訊息, 簡訊, 簡訊內容, 內容, mensahe, mensaje, texto
    сообщение, текст`,
  name: `full name, first name, customer, customer name, contact name, recipient name, 姓名, 名字, 名前, 氏名, 이름, nombre, nome
    nombre completo, nom, vorname, имя, фио, pangalan, buong pangalan, tên, họ tên, nama, nama lengkap`,
  note: `notes, remark, remarks, comment, comments, reason, 备注, 備註, nota, примечание`,
  opted_out_at: `opted out, opt out date, opted out on, unsubscribed at, unsubscribed, unsubscribe date`,
};

const names = (list: string) =>
  list
    .split(/[,\n]+/)
    .map(plainName)
    .filter(Boolean);
const KNOWN: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(OTHER_NAMES).map(([field, list]) => [field, new Set(names(list))]),
);

/** Returns whether a column of this name should hold the field. */
export function means(name: string, field: string): boolean {
  const plain = plainName(name);
  return plain !== '' && (plain === plainName(field) || KNOWN.get(field)?.has(plain) === true);
}

const ANY: ReadonlySet<string> = new Set([
  ...[...KNOWN.keys(), ...MERGE_FIELDS].map(plainName),
  ...[...KNOWN.values()].flatMap((each) => [...each]),
]);

/** Maximum characters of a cell that can be a column's name. */
const MAX_NAME = 40;

/** Returns whether a cell is a known name of any column of recipients. */
export const isColumnName = (cell: string): boolean => cell.length <= MAX_NAME && ANY.has(plainName(cell));
