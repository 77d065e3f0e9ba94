import { pageConfigurations } from '@heliograph/contract/identity/session';
import { call } from './call.ts';
import { useSession } from './session.ts';

/** Loads the application's appearance: name, color, logos, favicon. */
export async function loadPage(): Promise<void> {
  try {
    const configurations = await call(pageConfigurations);
    useSession.setState({ pageConfigurations: configurations });
    if (configurations.favicon_path)
      document.querySelector('link[rel=icon]')?.setAttribute('href', configurations.favicon_path);
  } catch {
    // Without an answer, the application keeps its previous look. The sign-in itself will show the error.
  }
}
