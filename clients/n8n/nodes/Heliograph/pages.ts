import type { IDataObject, IN8nRequestOperationPaginationGeneric } from 'n8n-workflow';

/** Follows the cursors of a list. The query of the next page takes the place of the one before, so it has all filters. */
export const PAGES: IN8nRequestOperationPaginationGeneric = {
  type: 'generic',
  properties: {
    continue: '={{ $response.body.has_more }}',
    request: {
      // An expression that gives an object, which the types do not know.
      qs: '={{ Object.assign({}, $request.qs, $response.body ? { cursor: $response.body.next_cursor } : {}) }}' as unknown as IDataObject,
    },
  },
};
