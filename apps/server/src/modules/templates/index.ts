import { messageTemplate } from '@heliograph/contract/templates/message-template';
import { requireDepartment } from '#platform/access/visible';
import { type App, mountResource } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';

const stored = tableStore(messageTemplate, {
  table: 'message_template',
  from: 'message_template_row',
  searched: ['name', 'template', 'department_name'],
});

/** Mounts the texts that campaigns begin with. */
export function mountTemplates(app: App): void {
  mountResource(app, messageTemplate, {
    ...stored,
    create: async (ctx, call) => {
      await requireDepartment(ctx, call.body);
      return stored.create(ctx, call);
    },
  });
}
