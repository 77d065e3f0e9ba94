import { blacklistText } from '@heliograph/contract/settings/blacklist-text';
import { connectionType } from '@heliograph/contract/settings/connection-type';
import { globalConfiguration } from '@heliograph/contract/settings/global-configuration';
import { uploadLanguageLines } from '@heliograph/contract/settings/language-line';
import { type App, mountResource } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { mountBulkUpload } from '#platform/tasks/bulk-upload';
import { globalConfigurations } from './global-configuration.ts';
import { languageLineRoutes } from './language-line.ts';
import { languageLineKind } from './upload-language-lines.ts';

export { languageLineKind } from './upload-language-lines.ts';

/** Mounts the settings that the operator makes for everybody. */
export function mountSettings(app: App): void {
  mountResource(app, blacklistText, tableStore(blacklistText, { table: 'blacklist_text' }));
  mountResource(app, connectionType, tableStore(connectionType, { table: 'connection_type' }));
  mountResource(app, globalConfiguration, globalConfigurations);
  languageLineRoutes(app);
  const common = { corporation_id: null, parameters: {} };
  mountBulkUpload(app, uploadLanguageLines, languageLineKind, () => Promise.resolve(common));
}
