import { regionOf } from '@heliograph/contract/kernel/calling-codes';
import { verifyService } from '@heliograph/contract/verify/verify-service';
import { verifyTextFault } from '@heliograph/contract/verify/verify-text';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { readNumberRules } from '#platform/operator/number-rules';
import { tableStore } from '#platform/records/table-store';
import type { Service } from './service-reader.ts';
import { shippedText } from './texts.ts';

const stored = tableStore(verifyService, { table: 'verify_service', from: 'verify_service_row' });

/** Columns that are documents. */
const asStored = <Body extends { texts?: unknown }>(body: Body): Body =>
  body.texts === undefined ? body : { ...body, texts: JSON.stringify(body.texts) };

/** Returns the countries of a new service: that of the operator's rules for numbers. Throws on `countries` if it has none. */
async function homeCountries(ctx: Context): Promise<string[]> {
  const { national, start } = await readNumberRules(ctx.db);
  const country = regionOf(national?.country_code ?? start);
  if (country === undefined) throw fieldError('countries', 'required');
  return [country];
}

type Checked = Pick<
  Service,
  'texts' | 'format' | 'origin_host' | 'app_hash' | 'app_name' | 'code_length' | 'minutes' | 'language'
>;

/** Throws on the field of a service that cannot be used. Sender IDs are judged at each start, as those of messages. */
function requireUsable(service: Checked): void {
  const { texts, format, origin_host, app_hash } = service;
  if (format === 'web_otp' && origin_host === null) throw fieldError('origin_host', 'required');
  if (format === 'sms_retriever' && app_hash === null) throw fieldError('app_hash', 'required');
  const languages = texts.map(({ language }) => language);
  const twice = languages.findIndex((language, place) => languages.indexOf(language) < place);
  if (twice >= 0) throw fieldError(`texts.${twice}.language`, 'verify_language_twice');
  for (const [place, { text }] of texts.entries()) {
    const fault = verifyTextFault(text, service);
    if (fault) throw fieldError(`texts.${place}.text`, fault);
  }
  if (!languages.includes(service.language)) {
    const fault = verifyTextFault(shippedText(service.language), service);
    if (fault) throw fieldError('texts', fault);
  }
}

/** Services of a corporation, which its programs name. */
export const verifyServices: ResourceHandlers<typeof verifyService> = {
  ...stored,
  async create(ctx, call) {
    await requireVisible(ctx, 'corporation', call.body.corporation_id, 'corporation_id');
    const countries = call.body.countries ?? (await homeCountries(ctx));
    const body = { ...call.body, countries };
    requireUsable(body);
    return stored.create(ctx, { ...call, body: asStored(body) });
  },
  async update(ctx, call) {
    const { data } = await stored.get(ctx, { params: call.params, query: {}, body: {} });
    requireUsable({ ...data, ...withoutUndefined(call.body) });
    return stored.update(ctx, { ...call, body: asStored(call.body) });
  },
};

const withoutUndefined = <Body extends object>(body: Body) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Body]: Exclude<Body[Name], undefined>;
  };
