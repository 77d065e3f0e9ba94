import {
  type Field,
  fieldsOfSchema,
  type OpenApi,
  type OpenApiCall,
  parametersOf,
  resolved,
} from '@heliograph/contract/api/openapi-fields';
import { Anchor, Badge, Code, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { LoadError } from '../../resource/load-error.tsx';
import { Link } from '../../ui/link.tsx';
import { ReaderFrame } from './reader-frame.tsx';
import { TrialDesk } from './test-key.tsx';
import { TryIt } from './try-it.tsx';

const DOCUMENT = '/v1/openapi.json';
const COLLECTION = '/v1/postman.json';
/** Offset of a heading below the fixed top bar, in pixels, when the page jumps to it. */
const BELOW_HEADER = 76;
const FIRST_COLUMN = '38%';

async function load(signal: AbortSignal): Promise<OpenApi> {
  const response = await fetch(DOCUMENT, { signal });
  if (!response.ok) throw new Error(response.statusText);
  return (await response.json()) as OpenApi;
}

/** Reference of the public API, drawn from its OpenAPI document. */
export function ApiReference() {
  const { t } = useTranslation();
  const document = useQuery({ queryKey: ['openapi'], queryFn: ({ signal }) => load(signal) });
  return (
    <ReaderFrame current={() => ({ reference: true })}>
      {() =>
        document.error ? (
          <LoadError error={document.error} retry={() => void document.refetch()} />
        ) : document.data ? (
          <Reference document={document.data} />
        ) : (
          <Skeleton h={320} role="status" aria-label={t('common.loading')} />
        )
      }
    </ReaderFrame>
  );
}

/** Returns the API's address without a slash at its end. If the document names none, uses this page's. */
const baseOf = ({ servers: [server] }: OpenApi) => new URL(server?.url ?? '/', location.origin).href.replace(/\/$/, '');

function Reference({ document }: { document: OpenApi }) {
  const { t } = useTranslation();
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ path, method: method.toUpperCase(), call })),
  );
  return (
    <Stack gap="xl">
      <Stack gap="xs">
        <Title order={1} fz={28}>
          {t('api_reference.title')}
        </Title>
        <Text lang="en">{document.info.description}</Text>
        <Text>{t('api_reference.by_key')}</Text>
        <Group gap="md">
          <Text size="sm">
            {t('api_reference.base')}: <Code>{baseOf(document)}</Code>
          </Text>
          <Anchor href={DOCUMENT} size="sm">
            {t('api_reference.document')}
          </Anchor>
          <Anchor href={COLLECTION} size="sm">
            {t('api_reference.collection')}
          </Anchor>
          <Anchor component={Link} to="/api-keys" size="sm">
            {t('api_reference.keys')}
          </Anchor>
        </Group>
      </Stack>
      <nav aria-label={t('api_reference.title')}>
        <Stack gap={4}>
          {calls.map(({ call, method, path }) => (
            <Anchor key={call.operationId} href={`#${call.operationId}`} size="sm" lang="en">
              {method} {path}
            </Anchor>
          ))}
        </Stack>
      </nav>
      <TrialDesk>
        {calls.map((each) => (
          <Call key={each.call.operationId} {...each} document={document} />
        ))}
      </TrialDesk>
    </Stack>
  );
}

function Call({
  document,
  method,
  path,
  call,
}: {
  document: OpenApi;
  method: string;
  path: string;
  call: OpenApiCall;
}) {
  const { t } = useTranslation();
  const body = call.requestBody?.content['application/json'];
  const [status = '200', reply] = Object.entries(call.responses).find(([code]) => code.startsWith('2')) ?? [];
  const content = reply?.content?.['application/json'];
  const answer = content?.schema;
  const places = ['path', 'query', 'header'] as const;
  return (
    <section aria-labelledby={call.operationId}>
      <Stack gap="sm">
        <Title order={2} fz={20} id={call.operationId} lang="en" style={{ scrollMarginTop: BELOW_HEADER }}>
          {call.summary}
        </Title>
        <Group gap="xs">
          <Badge tt="none" variant="light">
            {method}
          </Badge>
          <Code fz="sm" lang="en">
            {path}
          </Code>
          <Text size="sm" c="dimmed">
            {t('api_reference.scope')}: {call['x-scope']}
          </Text>
        </Group>
        {call.description && (
          <Text lang="en">
            <Prose text={call.description} />
          </Text>
        )}
        <TryIt base={baseOf(document)} target={{ method, path, call }} />
        {places.map((place) => (
          <Fields key={place} title={t(`api_reference.${place}`)} fields={parametersOf(call, place, document)} />
        ))}
        {body && (
          <Fields title={t('api_reference.body')} fields={fieldsOfSchema(resolved(body.schema, document), document)} />
        )}
        <Example label={t('api_reference.example')} value={body?.example} />
        {answer && (
          <Fields
            title={t('api_reference.reply', { status })}
            fields={fieldsOfSchema(resolved(answer, document), document).map((each) => ({ ...each, required: false }))}
          />
        )}
        <Example label={t('api_reference.reply_example')} value={content?.example} />
        <Text fw={600}>{t('api_reference.errors')}</Text>
        <Table aria-label={t('api_reference.errors')}>
          <Table.Tbody lang="en">
            {Object.entries(call.responses)
              .filter(([code]) => !code.startsWith('2'))
              .map(([code, { description }]) => (
                <Table.Tr key={code}>
                  <Table.Td w={70}>{code}</Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    <Prose text={description} />
                  </Table.Td>
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
      </Stack>
    </section>
  );
}

const Example = ({ label, value }: { label: string; value: unknown }) =>
  value === undefined ? null : (
    <Code block lang="en" aria-label={label}>
      {JSON.stringify(value, null, 2)}
    </Code>
  );

/** Sentence of the document. Text between backticks appears as code. */
function Prose({ text }: { text: string }) {
  return text.split('`').map((part, place) =>
    place % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text that never changes
      <Code key={place}>{part}</Code>
    ) : (
      part
    ),
  );
}

function Fields({ title, fields }: { title: string; fields: readonly Field[] }) {
  const { t } = useTranslation();
  if (fields.length === 0) return null;
  return (
    <>
      <Text fw={600}>{title}</Text>
      <Table.ScrollContainer minWidth={0}>
        <Table aria-label={title} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={FIRST_COLUMN}>{t('api_reference.field')}</Table.Th>
              <Table.Th>{t('api_reference.meaning')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody lang="en">
            {fields.map(({ name, required, type, description }) => (
              <Table.Tr key={name}>
                <Table.Td style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
                  <Code>{name}</Code>
                  <Text size="xs" c="dimmed">
                    {type}
                    {required && ` · ${t('api_reference.required')}`}
                  </Text>
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
                  <Prose text={description ?? ''} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}
