import { lazyPart } from '../../platform/connection.ts';

export const NewListForm = lazyPart(async () => (await import('./list-form.tsx')).NewListForm);
