import { webDomain } from '@heliograph/contract/moderation/web-domain';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { Badge, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { Link } from '../../ui/link.tsx';
import { TryText } from './try-text.tsx';

const Field = fieldsOf(webDomain.create);

/** Screen of the domains that may stand in texts, and of those that may not. */
export function WebDomains() {
  const { t } = useTranslation();
  const mayShow = useMay('web-links-index');
  const mayTry = useMay('moderation-rules-index');
  return (
    <ResourceList
      resource={webDomain}
      header={{
        actions: (
          <>
            {mayTry && <TryText />}
            {mayShow && (
              <Button variant="default" component={Link} to="/web-links">
                {t('web.show_links')}
              </Button>
            )}
          </>
        ),
      }}
      columns={[
        {
          field: 'domain',
          cell: ({ domain, ascii }) => (
            <>
              {domain}
              {ascii !== domain && (
                <Text size="xs" c="dimmed">
                  {ascii}
                </Text>
              )}
            </>
          ),
        },
        {
          field: 'verdict',
          cell: ({ verdict }) => (
            <Badge variant="light" color={verdict === 'allowed' ? 'teal' : 'red'}>
              {t(`web_verdict.${verdict}`)}
            </Badge>
          ),
          csv: ({ verdict }) => t(`web_verdict.${verdict}`),
        },
        'subdomains',
        { field: 'corporation_name', cell: (row) => row.corporation_name ?? t('moderation.for_all') },
        'sender_id_name',
        'created_at',
      ]}
      filters={[
        { field: 'corporation_id', to: corporation },
        { field: 'verdict', words: 'web_verdict' },
      ]}
      form={
        <>
          <Field.Text name="domain" autoFocus />
          <Field.Switch name="subdomains" />
          <Field.Select name="verdict" words="web_verdict" />
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Reference name="sender_id_id" to={senderId} within="corporation_id" />
        </>
      }
    />
  );
}
