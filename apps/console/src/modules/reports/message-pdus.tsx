import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { getMessage } from '@heliograph/contract/reports/transaction';
import { Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';

type Pdu = ReplyOf<typeof getMessage>['data']['pdus'][number];

/** Decoded PDUs exchanged with the carrier. The names are those of the standard. */
export function Pdus({ pdus }: { pdus: readonly Pdu[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div>
      <Text fw={600} mb="xs">
        {t('xray.pdus')}
      </Text>
      {pdus.map((pdu, at) => {
        const name = pdu.command || t('xray.unreadable');
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a PDU may come twice
          <details key={at}>
            <summary>
              <Text size="sm" component="span">
                {name} · {format.instant(pdu.at)}
              </Text>
            </summary>
            <Text size="xs" c="dimmed" mt={4}>
              {t(`xray.source.${pdu.source}`)}
            </Text>
            <Table verticalSpacing={2} aria-label={name}>
              <Table.Tbody>
                {pdu.fields.map((field) => (
                  <Table.Tr key={field.name}>
                    <Table.Th scope="row">
                      <Text size="xs" ff="monospace">
                        {field.name}
                      </Text>
                    </Table.Th>
                    <Table.Td>
                      <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                        {field.value}
                      </Text>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </details>
        );
      })}
    </div>
  );
}
