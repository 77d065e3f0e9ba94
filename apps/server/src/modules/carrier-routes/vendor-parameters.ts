import {
  type ParameterValues,
  parameterFault,
  parameterText,
  parseParameter,
  type VendorParameter,
} from '@heliograph/contract/links/vendor-parameters';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { BusinessError, fieldError } from '#platform/errors';

/** Reads the parameters that links know, without their values. A name may be there several times. */
export async function readKnownParameters(db: Queryable): Promise<VendorParameter[]> {
  const rows = await rowsOf<{ line: string }>(db, 'SELECT known_parameters() AS line', []);
  return rows.map(({ line }) => parseParameter(line)).filter((each) => each !== undefined);
}

/**
 * Checks values that a campaign, a sender ID or a program gives. Throws an error on `field` that names the first bad
 * parameter.
 */
export function checkParameters(
  known: readonly VendorParameter[],
  values: ParameterValues,
  field = 'parameters',
  allowed = true,
): void {
  const given = Object.entries(values);
  if (given.length > 0 && !allowed)
    throw new BusinessError('validation_failed', { fields: { [field]: [{ key: 'parameters_not_allowed' }] } });
  for (const [name, value] of given) {
    const fault = parameterFault(known, name, value);
    if (fault) throw fieldError(field, fault, { name });
  }
}

/** Names the values of TLVs that a program gave by their tags, as `0x1401` with octets in hexadecimal. */
export function nameParameters(known: readonly VendorParameter[], tlvs: ParameterValues): ParameterValues {
  const values: ParameterValues = {};
  for (const [tag, hex] of Object.entries(tlvs)) {
    const parameter = known.find(({ target }) => target === Number(tag));
    if (!parameter) continue;
    const text = parameterText(parameter.type, Buffer.from(hex, 'hex'));
    if (text === undefined) throw fieldError('parameters', 'parameter_value_bad', { name: parameter.name });
    values[parameter.name] = text;
  }
  return values;
}
