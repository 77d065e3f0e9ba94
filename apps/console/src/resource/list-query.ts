import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useSession } from '../platform/session.ts';

const USUAL_PAGE = 25;

/** Complete state of a list. It is kept in the address so that a view can be shared and the back button works. */
export interface ListQuery {
  page: number;
  perPage: number;
  sort: string | undefined;
  search: string;
  filters: Record<string, string>;
  /** Columns chosen by the user; undefined for the screen's default. */
  columns: string[] | undefined;
  compact: boolean;
  /** Set if a search or a filter narrows the list. */
  narrowed: boolean;
  /** Sets parameters; undefined removes one. Returns to the first page unless `page` is among them. */
  set: (patch: Record<string, string | number | undefined>) => void;
  clear: () => void;
}

export function useListQuery(filterNames: readonly string[]): ListQuery {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const navigate = useNavigate();
  const usual = useSession((s) => s.profile?.preferences?.page_size ?? USUAL_PAGE);
  return useMemo(() => {
    const filters: Record<string, string> = {};
    for (const name of filterNames) if (search[name]) filters[name] = search[name];
    const set = (patch: Record<string, string | number | undefined>) => {
      const next: Record<string, string> = {};
      for (const [name, value] of Object.entries({ ...search, page: undefined, ...patch }))
        if (value !== undefined && value !== '') next[name] = String(value);
      // Typing in the search box is one step of history, not one step per letter.
      void navigate({ to: '.', search: next, replace: 'search' in patch, resetScroll: false });
    };
    return {
      page: Math.max(1, Number(search.page) || 1),
      perPage: Math.min(200, Number(search.per_page) || usual),
      sort: search.sort,
      search: search.search ?? '',
      filters,
      columns: search.columns?.split(','),
      compact: search.density === 'compact',
      narrowed: Boolean(search.search) || Object.keys(filters).length > 0,
      set,
      clear: () => set({ search: undefined, ...Object.fromEntries(filterNames.map((name) => [name, undefined])) }),
    };
  }, [search, navigate, filterNames, usual]);
}
