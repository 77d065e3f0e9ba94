import { segment, segmentUse } from '@heliograph/contract/audience/segment';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Badge, Group, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useMay } from '../../platform/session.ts';
import type { RowOf } from '../../resource/columns.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { firstRule } from './segment-parts.ts';
import { RuleEditor } from './segment-rule-editor.tsx';
import { useExplain } from './segment-voice.ts';

const Field = fieldsOf(segment.create);

type SegmentRow = RowOf<typeof segment.list>;

/** Screen of the rules that choose contacts. */
export function Segments() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const maySend = useMay('campaigns-create');
  const explain = useExplain();
  return (
    <ResourceList
      resource={segment}
      columns={[
        'name',
        {
          field: 'rule',
          cell: (row) => <Explained row={row} text={explain(row.rule, row.names)} />,
          csv: (row) => explain(row.rule, row.names),
        },
        'corporation_name',
        { field: 'updated_at', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={[{ field: 'corporation_id', to: corporation }]}
      deleteNote={lossOf}
      rowActions={(row) =>
        maySend
          ? [
              {
                label: t('segments.new_campaign'),
                icon: <IconSend size={16} stroke={1.6} />,
                onClick: () => void navigate({ to: '/send-sms', search: { segment: String(row.id) } }),
              },
            ]
          : []
      }
      formSize={760}
      preset={{ rule: firstRule() }}
      form={
        <>
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Text name="name" autoFocus />
          <RuleEditor />
        </>
      }
    />
  );
}

/** Rule of a segment as a sentence, with a badge if the rule needs something that is missing. */
function Explained({ row, text }: { row: SegmentRow; text: string }) {
  const { t } = useTranslation();
  return (
    <Group gap={6} component="span" wrap="nowrap">
      {row.lacks.length > 0 && (
        <Badge color="orange" variant="light" tt="none" style={{ flex: 'none' }}>
          {t('segments.incomplete_badge')}
        </Badge>
      )}
      <Text span inherit display="block" maw="44ch" truncate title={text}>
        {text}
      </Text>
    </Group>
  );
}

/** Returns sentences about the drafts and waiting campaigns that use the segments. */
async function lossOf(rows: readonly { id: number }[]): Promise<string> {
  const uses = await Promise.all(rows.map(({ id }) => call(segmentUse, { params: { id } })));
  const sum = (of: 'drafts' | 'campaigns') => uses.reduce((total, { data }) => total + data[of], 0);
  const [drafts, campaigns] = [sum('drafts'), sum('campaigns')];
  return [
    ...(drafts > 0 ? [i18next.t('segments.used_drafts', { count: drafts })] : []),
    ...(campaigns > 0 ? [i18next.t('segments.used_campaigns', { count: campaigns })] : []),
  ].join(' ');
}
