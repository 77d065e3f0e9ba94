import { CELL_STYLES, type CellStyle, type Cells } from './cells.ts';

/** Number formats by style; null: the spreadsheet's own choice. */
const FORMATS: Readonly<Record<CellStyle, string | null>> = {
  general: null,
  heading: null,
  moment: 'yyyy-mm-dd hh:mm:ss',
  date: 'yyyy-mm-dd',
  amount: '#,##0.000',
  percent: '0.00%',
};
/** First number of a workbook's own number formats. */
const OWN_FORMATS = 164;

/** Answers the place of a style among those of a workbook. */
export const styleOf = (style: CellStyle): number => CELL_STYLES.indexOf(style);

const formats = CELL_STYLES.map(
  (style, at) => `<numFmt numFmtId="${OWN_FORMATS + at}" formatCode="${FORMATS[style] ?? 'General'}"/>`,
);
const styles = CELL_STYLES.map(
  (style, at) =>
    `<xf numFmtId="${FORMATS[style] === null ? 0 : OWN_FORMATS + at}" fontId="${style === 'heading' ? 1 : 0}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`,
);
const font = (bold: string) => `<font>${bold}<sz val="11"/><name val="Calibri"/></font>`;

/** Writes a workbook's sheet of styles, which has this namespace. */
export const stylesXml = (namespace: string): string =>
  `<styleSheet xmlns="${namespace}"><numFmts count="${formats.length}">${formats.join('')}</numFmts><fonts count="2">${font('')}${font('<b/>')}</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${styles.length}">${styles.join('')}</cellXfs></styleSheet>`;

/** Maximum characters of a sheet's name. */
const NAME_CHARACTERS = 31;

/** The name of a sheet: the book's, with its number from the second sheet on. */
export function sheetNameOf(name: string, sheet: number): string {
  const plain = name.replace(/[[\]:*?/\\]/g, ' ').replace(/^['\s]+|['\s]+$/g, '') || 'Sheet';
  const end = sheet > 1 ? ` (${sheet})` : '';
  return plain.slice(0, NAME_CHARACTERS - end.length) + end;
}

const NARROWEST = 20;
const WIDEST = 40;

/**
 * Writes the part before a sheet's rows: its heading stays in sight, and each column is as wide as its heading and a
 * time.
 */
export function sheetLook(heading: Cells): string {
  const columns = heading.map((title, at) => {
    const width = Math.min(WIDEST, Math.max(NARROWEST, String(title ?? '').length + 3));
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`;
  });
  return `<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''}`;
}
