import { ENDINGS } from '@heliograph/contract/sandbox/endings';
import { Code, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Table of the endings of numbers. */
export function Endings() {
  const { t } = useTranslation();
  return (
    <Table aria-label={t('sandbox.endings_title')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={150}>{t('sandbox.digits')}</Table.Th>
          <Table.Th>{t('sandbox.happens')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {ENDINGS.map(({ name, digits }) => (
          <Table.Tr key={name}>
            <Table.Td>
              <Code>{digits}</Code>
            </Table.Td>
            <Table.Td>{t(`sandbox.endings.${name}`)}</Table.Td>
          </Table.Tr>
        ))}
        <Table.Tr>
          <Table.Td>{t('sandbox.any')}</Table.Td>
          <Table.Td>{t('sandbox.endings.other')}</Table.Td>
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}
