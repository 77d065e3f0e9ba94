import { z } from 'zod';
import { bulkUpload, FILE_FAULTS } from '../kernel/bulk-upload.ts';
import { id, idText, label, msisdn, reference, text } from '../kernel/fields.ts';
import { formatQuery } from '../kernel/file-format.ts';
import { fileReading } from '../kernel/file-reading.ts';
import { operation } from '../kernel/operation.ts';
import { personText } from '../kernel/personal.ts';
import { oneReply, resource } from '../kernel/resource.ts';

const input = z.object({
  corporation_id: reference('corporations'),
  department_id: reference('departments'),
  name: label(),
  enabled: z.boolean(),
  /** True if only its creator sees the list. */
  private: z.boolean(),
  /** True lets campaigns go only to those people of the list who opted in. */
  requires_consent: z.boolean(),
});

export const numberList = resource({
  name: 'number-lists',
  row: input.extend({ corporation_name: z.string(), department_name: z.string(), numbers_count: z.int() }),
  create: input.extend({
    enabled: z.boolean().default(true),
    private: z.boolean().default(false),
    requires_consent: z.boolean().default(false),
  }),
  update: input.omit({ corporation_id: true, department_id: true }).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    department_id: z.coerce.number().int().optional(),
    enabled: z.stringbool().optional(),
    private: z.stringbool().optional(),
  }),
  sort: ['name', 'numbers_count', 'created_at'],
  title: 'name',
  conflicts: {
    number_list_department_id_name_key: 'number_list_already_exists',
    number_list_private_name_key: 'number_list_already_exists',
  },
});

const param = text(300).nullable();
const params = {
  param1: param,
  param2: param,
  param3: param,
  param4: param,
  param5: param,
  param6: param,
  param7: param,
  param8: param,
  param9: param,
};
const tag = text(300).optional();
/** Filters for the numbers of a list: parameters exactly as written, and whether the person opted out. */
const NUMBER_FILTERS = {
  opted_out: z.stringbool().optional(),
  param1: tag,
  param2: tag,
  param3: tag,
  param4: tag,
  param5: tag,
  param6: tag,
  param7: tag,
  param8: tag,
  param9: tag,
};
/** Selection of numbers in a list: those with the given ids, or all that match a search and filters. */
export const numberSelection = z.object({
  ...NUMBER_FILTERS,
  opted_out: z.boolean().optional(),
  ids: z.array(id).min(1).max(1_000).optional(),
  search: z.string().trim().max(100).optional(),
});
const numberInput = z.object({
  number_list_id: reference('number-lists'),
  number: z.string().trim().min(1).max(40),
  name: text(100).nullable(),
  ...params,
});
/** Parameters as answers show them: a person's number can be in one. */
const hiddenParams = Object.fromEntries(
  Object.entries(params).map(([key, schema]) => [key, personText(schema.clone())]),
) as typeof params;
const noParams = Object.fromEntries(Object.entries(params).map(([key, schema]) => [key, schema.default(null)])) as {
  [K in keyof typeof params]: z.ZodDefault<(typeof params)[K]>;
};

/** Numbers of a list; the list call needs `number_list_id`. */
export const listNumber = resource({
  name: 'numbers',
  area: 'individual-numbers',
  row: numberInput.extend({
    number: msisdn,
    name: personText(numberInput.shape.name),
    ...hiddenParams,
    /** True if the person opted out of the corporation; the number stays in the list and gets no messages. */
    opted_out: z.boolean(),
  }),
  create: numberInput.extend({ name: numberInput.shape.name.default(null), ...noParams }),
  update: numberInput.omit({ number_list_id: true }).partial(),
  filters: z.object({ number_list_id: z.coerce.number().int(), ...NUMBER_FILTERS }),
  sort: ['number', 'name', 'id'],
  title: 'number',
  conflicts: { number_list_number_pkey: 'numbers_already_added' },
});

/** Upload of a file of numbers; it has the fields of any other upload. */
export const importRow = bulkUpload.extend({ kind: z.literal('number_list') });

/** Uploads a CSV or XLSX of numbers into a list. Answers immediately and reads in the background. */
export const importNumbers = operation({
  method: 'POST',
  path: '/api/v1/number-lists/:id/imports',
  permission: 'number-lists-upload',
  params: z.object({ id: idText }),
  query: z.object({
    /** Reading of numbers without a country code: `false` refuses them, else the operator's rule is used. */
    read_national: z.enum(['true', 'false']).default('true'),
    ...fileReading.shape,
  }),
  upload: true,
  reply: oneReply(importRow),
  status: 202,
  errors: ['not_found', ...FILE_FAULTS, 'file_already_uploaded'],
});

export const getImport = operation({
  method: 'GET',
  path: '/api/v1/imports/:id',
  permission: 'number-lists-upload',
  params: z.object({ id: idText }),
  reply: oneReply(importRow),
  errors: ['not_found'],
});

/** Returns the refused and repeated rows (line, field, value, reason), as an attachment. */
export const importErrors = operation({
  method: 'GET',
  path: '/api/v1/imports/:id/errors',
  permission: 'number-lists-upload',
  params: z.object({ id: idText }),
  query: formatQuery,
  reply: z.string(),
  errors: ['not_found'],
});
export const importErrorsPath = (importId: number) => `/api/v1/imports/${importId}/errors`;
