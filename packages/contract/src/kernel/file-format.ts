/** What a list is written as: lines for programs, or a workbook. */
export const FILE_FORMATS = ['csv', 'xlsx'] as const;

export type FileFormat = (typeof FILE_FORMATS)[number];
