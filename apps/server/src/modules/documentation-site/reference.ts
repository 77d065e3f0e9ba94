import { curlOf } from '@heliograph/contract/api/curl-command';
import { openApiDocument } from '@heliograph/contract/api/openapi';
import {
  type Field,
  fieldsOfSchema,
  type OpenApi,
  type OpenApiCall,
  parametersOf,
  resolved,
} from '@heliograph/contract/api/openapi-fields';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { escaped } from '#platform/text/escaped';
import { hasText, translate } from '#platform/text/i18n';
import { codeBlock, htmlOf } from './articles.ts';
import type { Page, Part } from './page.ts';

/** Address in examples. */
export const EXAMPLE_URL = 'https://sms.example.com';

interface Call {
  method: string;
  path: string;
  call: OpenApiCall & { tags: readonly [string] };
}

/** Returns the calls of the API, in the order of the document. */
function callsOf(document: OpenApi): Call[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({
      path,
      method: method.toUpperCase(),
      call: call as Call['call'],
    })),
  );
}

/** Returns a description, in which `…` is code. */
const inline = (text: string | undefined) =>
  htmlOf(text ?? '')
    .replace(/^<p>|<\/p>\s*$/g, '')
    .trim();

function fieldTable(title: string, fields: readonly Field[], locale: Locale): string {
  if (fields.length === 0) return '';
  const t = (key: Parameters<typeof translate>[1]) => escaped(translate(locale, key));
  const rows = fields.map(
    ({ name, type, required, description }) =>
      `<tr><td><code>${escaped(name)}</code>${required ? ` <small>${t('api_reference.required')}</small>` : ''}</td><td><code>${escaped(type)}</code></td><td lang="en-US">${inline(description)}</td></tr>`,
  );
  return `<h2>${escaped(title)}</h2>\n<div class="table fields" tabindex="0"><table><thead><tr><th>${t('api_reference.field')}</th><th>${t('site.type')}</th><th>${t('api_reference.meaning')}</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>\n`;
}

/** Filters of calls that need one of several. */
const FILTERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listMessages: { client_ref: 'login-42' },
};

/** Returns the call as a command, with an example for each value that it needs. */
function commandOf({ method, path, call }: Call): string {
  const example = call.requestBody?.content['application/json']?.example;
  const needed = call.parameters.filter(({ required }) => required).map(({ name }) => [name, '42']);
  const parameters = { ...Object.fromEntries(needed), ...FILTERS[call.operationId] };
  return curlOf(
    EXAMPLE_URL,
    { method, path, call },
    {
      parameters,
      body: call.requestBody ? JSON.stringify(example ?? {}, null, 2) : undefined,
    },
  );
}

function errorsOf({ call }: Call, locale: Locale): string {
  const t = (key: Parameters<typeof translate>[1]) => escaped(translate(locale, key));
  const rows = Object.entries(call.responses)
    .filter(([status]) => !status.startsWith('2'))
    .map(([status, { description }]) => `<tr><td>${status}</td><td lang="en-US">${inline(description)}</td></tr>`);
  return `<h2>${t('api_reference.errors')}</h2>\n<div class="table" tabindex="0"><table><thead><tr><th>HTTP</th><th>${t('api_reference.meaning')}</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>\n`;
}

function pageOf(document: OpenApi, one: Call, locale: Locale): Page {
  const { method, path, call } = one;
  const t = (key: Parameters<typeof translate>[1], params = {}) => escaped(translate(locale, key, params));
  const request = call.requestBody?.content['application/json']?.schema;
  const [status = '200', reply] = Object.entries(call.responses).find(([code]) => code.startsWith('2')) ?? [];
  const content = reply?.content?.['application/json'];
  const fields = (schema: typeof request) => (schema ? fieldsOfSchema(resolved(schema, document), document) : []);
  const inPath = parametersOf(call, 'path', document);
  const html = [
    `<h1 lang="en-US">${escaped(call.summary)}</h1>`,
    `<p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escaped(path)}</code></p>`,
    `<div lang="en-US">${htmlOf(call.description ?? '')}</div>`,
    `<p>${t('api_reference.scope')}: <code>${escaped(call['x-scope'])}</code></p>`,
    fieldTable(translate(locale, 'api_reference.path'), inPath, locale),
    fieldTable(translate(locale, 'api_reference.query'), parametersOf(call, 'query', document), locale),
    fieldTable(translate(locale, 'api_reference.header'), parametersOf(call, 'header', document), locale),
    fieldTable(translate(locale, 'api_reference.body'), fields(request), locale),
    `<h2>${t('api_reference.example')}</h2>`,
    codeBlock(commandOf(one), 'sh'),
    content?.example === undefined
      ? ''
      : `<h2>${t('api_reference.reply_example')}</h2>\n${codeBlock(JSON.stringify(content.example, null, 2), 'json')}`,
    fieldTable(translate(locale, 'api_reference.reply', { status }), fields(content?.schema), locale),
    errorsOf(one, locale),
  ].join('\n');
  const names = [...inPath, ...fields(request), ...fields(content?.schema)].map(({ name }) => name);
  return {
    path: `reference/${call.operationId}`,
    title: call.summary,
    html,
    plain: [method, path, call.operationId, call.description, call['x-scope'], ...names].join(' '),
  };
}

function overview(groups: ReadonlyMap<string, readonly Call[]>, locale: Locale): Page {
  const title = translate(locale, 'api_reference.title');
  const lists = [...groups].map(([tag, calls]) => {
    const rows = calls.map(
      ({ method, path, call }) =>
        `<tr><td><span class="method ${method.toLowerCase()}">${method}</span></td><td><code>${escaped(path)}</code></td><td><a href="${call.operationId}.html">${escaped(call.summary)}</a></td></tr>`,
    );
    return `<h2 lang="en-US">${escaped(tag)}</h2>\n<div class="table" lang="en-US" tabindex="0"><table><tbody>${rows.join('')}</tbody></table></div>`;
  });
  const documents = `<ul><li><a href="../../openapi.json">${escaped(translate(locale, 'api_reference.document'))}</a></li><li><a href="../../postman.json">${escaped(translate(locale, 'api_reference.collection'))}</a></li></ul>`;
  return {
    path: 'reference/index',
    title,
    html: `<h1>${escaped(title)}</h1>\n<p>${escaped(translate(locale, 'api_reference.by_key'))}</p>\n${documents}\n${lists.join('\n')}`,
    plain: 'OpenAPI Postman Bruno',
  };
}

/** Builds the parts of the API reference in a language: an overview, and a page for each call. */
export function referenceParts(name: string, locale: Locale): Part[] {
  const document = openApiDocument({ title: name, url: EXAMPLE_URL }) as unknown as OpenApi;
  const groups = Map.groupBy(callsOf(document), ({ call }) => call.tags[0]);
  const title = translate(locale, 'api_reference.title');
  const tagIn = (tag: string) => {
    const key = `site.tag_${tag.toLowerCase()}`;
    return hasText(key) ? translate(locale, key as 'site.copy') : tag;
  };
  return [
    { title, pages: [overview(groups, locale)] },
    ...[...groups].map(([tag, calls]) => ({
      title: `${title}: ${tagIn(tag)}`,
      pages: calls.map((each) => pageOf(document, each, locale)),
    })),
  ];
}
