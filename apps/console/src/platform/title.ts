import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { useLocation, useMatches, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from './session.ts';

/** Name of the application until its configuration is loaded. */
const PRODUCT = 'Heliograph';

/** Returns the application's name as the operator set it. */
export function useAppName(): string {
  return useSession((s) => s.pageConfigurations?.corporation_name) || PRODUCT;
}

/**
 * Returns the menu entry of the screen at the current address. It changes immediately, before the screen has loaded, as the
 * router's own mark on links does.
 */
export function useMenuEntry(): string | undefined {
  const router = useRouter();
  const path = useLocation({ select: (location) => location.pathname });
  const [routes] = router.getMatchedRoutes(path);
  return routes.at(-1)?.options.staticData?.under;
}

/** Sets the browser tab to the application's name, a separator and the screen's title. */
export function useTabTitle(): void {
  const { t } = useTranslation();
  const name = useAppName();
  const key = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  const title = key === undefined ? undefined : t(keyIn('menu', key));
  useEffect(() => {
    document.title = title ? `${name} – ${title}` : name;
  }, [name, title]);
}
