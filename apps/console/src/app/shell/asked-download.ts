import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { fetchDownload } from './open-download.ts';

/** Fetches the file that the address names, as the mails of reports do, once. */
export function useAskedDownload(isLoggedIn: boolean): void {
  const navigate = useNavigate();
  const { download } = useSearch({ strict: false }) as { download?: string | number };
  useEffect(() => {
    if (!isLoggedIn || !/^\d{1,15}$/.test(String(download ?? ''))) return;
    void navigate({ to: '.', search: {}, replace: true });
    void fetchDownload(Number(download));
  }, [isLoggedIn, download, navigate]);
}
