import type { IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';

/**
 * Gives a call a key by its execution, node, run and item. When n8n repeats a call whose answer was lost, the
 * platform does not send the message a second time.
 */
export async function addIdempotencyKey(
  this: IExecuteSingleFunctions,
  options: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
  const item = this.getItemIndex();
  const run = this.evaluateExpression('{{ $runIndex }}', item);
  const key = ['n8n', this.getExecutionId(), this.getNode().id, run, item].join('-');
  return { ...options, headers: { ...options.headers, 'Idempotency-Key': key } };
}
