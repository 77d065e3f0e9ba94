import { messageTemplate } from '@heliograph/contract/templates/message-template';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { ReferenceSelect } from '../../resource/reference.tsx';
import { takeTemplate } from './template-gallery.tsx';

interface TemplateSelectProps {
  /** Corporation that owns the templates. While it is unknown, all templates visible to the user are offered. */
  corporationId: number | undefined;
  /** Text written so far. It is replaced only after a confirmation. */
  written: string;
  onChosen: (text: string) => void;
}

/** Select that starts a text with a template. Draws nothing if there are no templates. */
export function TemplateSelect({ corporationId, written, onChosen }: TemplateSelectProps) {
  const { t } = useTranslation();
  const may = [useMay(messageTemplate.permissions.index), useMay(messageTemplate.permissions.show)].every(Boolean);
  const within = corporationId === undefined ? {} : { corporation_id: corporationId };
  const first = useQuery({
    queryKey: [messageTemplate.name, 'any', corporationId],
    queryFn: ({ signal }) => call(messageTemplate.list, { query: { ...within, per_page: 1 }, signal }),
    enabled: may,
    staleTime: 60_000,
  });
  if (!first.data?.meta.total) return null;

  async function choose(id: number | null) {
    if (id === null) return;
    try {
      const { template } = (await call(messageTemplate.get, { params: { id } })).data;
      takeTemplate(
        template,
        { written, onChosen },
        { title: t('templates.replace_title'), text: t('templates.replace_text'), confirm: t('templates.replace') },
      );
    } catch (error) {
      void toast('error', sentenceOf(error));
    }
  }

  return (
    <ReferenceSelect
      to={messageTemplate}
      within={within}
      label={t('resources.message-templates.one')}
      maw={420}
      value={null}
      onChange={(id) => void choose(id)}
    />
  );
}
