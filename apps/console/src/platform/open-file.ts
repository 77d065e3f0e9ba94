import { headersFor, parseProblem, withToken } from './call.ts';
import { CallError, sentenceOf } from './problem.ts';
import { toast } from './toast.ts';

/** Fetches the report of refused rows as a workbook, because a spreadsheet keeps phone numbers unchanged in it. */
export const openReport = (path: string, name: string): Promise<void> =>
  openFile(`${path}?format=xlsx`, `${name}.xlsx`);

/** Fetches a file of this session and hands it to the browser, because a plain link carries no token. */
export async function openFile(path: string, name: string): Promise<void> {
  const response = await withToken((token) => fetch(path, { headers: headersFor(token) }));
  if (!response.ok) {
    const problem = parseProblem({ status: response.status, body: await response.text() });
    return toast('error', sentenceOf(new CallError(problem)));
  }
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
