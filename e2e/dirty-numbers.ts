import type { RejectReason } from '@heliograph/contract/campaigns/quote';

export interface DirtyNumbers {
  /** The file: UTF-8 with a byte order mark, CRLF, and every kind of damage from a spreadsheet. */
  csv: string;
  accepted: { number: string; name: string; param1: string }[];
  rejected: { line: number; number: string; reason: RejectReason }[];
  rejectedByReason: Partial<Record<RejectReason, number>>;
}

/** Ways in which people write 639171234567. */
const SPELLINGS: readonly ((n: string) => string)[] = [
  (n) => n,
  (n) => `+${n}`,
  (n) => `00${n}`,
  (n) => `+${n.slice(0, 2)} ${n.slice(2, 5)} ${n.slice(5, 8)} ${n.slice(8)}`,
  (n) => `${n.slice(0, 2)}-${n.slice(2, 5)}-${n.slice(5)}`,
  (n) => ` ${n} `,
];

const BAD: readonly (readonly [string, RejectReason])[] = [
  ['6.39171E+11', 'spreadsheet_damage'],
  ['call me', 'not_a_number'],
  ['63917', 'too_short'],
  ['63917123456789', 'too_long'],
  ['447700900123', 'wrong_prefix'],
];

/** Makes a file of about `count` numbers with a bad or repeated one in every twenty rows, and its expected results. */
export function dirtyNumbers(count: number): DirtyNumbers {
  const lines = ['number,name,param1'];
  const accepted: DirtyNumbers['accepted'] = [];
  const rejected: DirtyNumbers['rejected'] = [];
  const refuse = (number: string, reason: RejectReason) => {
    lines.push(`${number},"Refused, row ${lines.length}",X`);
    rejected.push({ line: lines.length, number, reason });
  };
  for (let i = 0; lines.length <= count; i++) {
    if (i % 20 === 7) {
      const [number, reason] = BAD[Math.floor(i / 20) % BAD.length]!;
      refuse(number, reason);
    } else if (i % 40 === 13 && accepted.length > 10) {
      refuse(`+${accepted[accepted.length - 10]!.number}`, 'duplicate');
    } else {
      // The last four digits avoid those that make the simulator misbehave.
      const number = `63917${String(1_000_000 + i).slice(-5)}77`.padEnd(12, '0');
      const name = i % 3 === 0 ? `José "${i}"` : `Customer ${i}`;
      const row = { number, name, param1: `C${i}` };
      lines.push(`${SPELLINGS[i % SPELLINGS.length]!(number)},"${name.replaceAll('"', '""')}",${row.param1}`);
      accepted.push(row);
    }
  }
  const rejectedByReason: DirtyNumbers['rejectedByReason'] = {};
  for (const { reason } of rejected) rejectedByReason[reason] = (rejectedByReason[reason] ?? 0) + 1;
  return { csv: `\ufeff${lines.join('\r\n')}\r\n`, accepted, rejected, rejectedByReason };
}
