/** The page that shows the description of the API to people: HTML and one style; its policy (docs/decisions/0014) allows no script. */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths, screens } from '../../contract/paths.ts';
import { escapeHtml as text } from '../http/escape-html.ts';

export type ApiDocument = {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
type Operation = Record<'operationId' | 'summary' | 'description', string> & {
  tags: string[];
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Response>;
};
type Parameter = { name: string; in: string; required?: boolean; description: string; schema: Schema };
type Body = { content?: Record<string, { schema?: Schema; example?: unknown }> };
type Response = Body & { description: string };
type Schema = Partial<Record<'$ref' | 'type' | 'description', string>> & {
  const?: unknown;
  enum?: unknown[];
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
};

const tokens = readFileSync(join(import.meta.dirname, '../../web/styles/tokens.css'), 'utf8');
const style = tokens + readFileSync(join(import.meta.dirname, 'docs-page.css'), 'utf8');

export const docsPolicy = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

export function docsPage({ info, tags, paths: calls, components }: ApiDocument): string {
  const title = `API of ${text(info.title)}`;
  const all = Object.entries(calls).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ ...call, call: `${method.toUpperCase()} ${path}` })),
  );
  const groups = tags.map((tag) => ({ ...tag, of: all.filter((call) => call.tags.includes(tag.name)) }));
  const contents = groups.map(({ name, of }) => `<h2>${name}</h2>${listOf(of, linkOf)}`);
  const sections = groups.map(
    ({ name, description, of }) =>
      `<section id="${name}"><h2>${name}</h2><p>${text(description)}</p>${of.map(callOf).join('\n')}</section>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
<header>
<p><a href="${screens.home}">${text(info.title)}</a></p>
<h1>${title}</h1>
<p>Version ${text(info.version)}. For programs: <a href="${paths.openApi}">${paths.openApi}</a> (OpenAPI 3.1).</p>
</header>
<nav aria-label="Contents">${contents.join('\n')}</nav>
<main>
${markdown(info.description)}
${sections.join('\n')}
<h2>Schemas</h2>
${Object.entries(components.schemas).map(schemaOf).join('\n')}
</main>
</html>
`;
}

const linkOf = ({ operationId, summary }: Operation): string =>
  `<a href="#${operationId}">${text(summary)}</a>`;

const callOf = ({ operationId: id, summary, description, ...call }: Operation & { call: string }) =>
  `<article id="${id}">
<h3><a href="#${id}"><code>${text(call.call)}</code></a> ${text(summary)}</h3>
${markdown(description)}
${call.parameters ? `<h4>Parameters</h4>${listOf(call.parameters, parameterOf)}` : ''}
${call.requestBody ? `<h4>Request</h4>${bodyOf(call.requestBody)}` : ''}
<h4>Responses</h4>
${Object.entries(call.responses).map(responseOf).join('\n')}
</article>`;

const parameterOf = ({ name, in: place, required, description, schema }: Parameter) =>
  `${code(name)} <small>${place}, ${typeOf(schema)}${required ? ', required' : ''}</small>${markdown(description)}`;

const responseOf = ([status, response]: [string, Response]) =>
  `<details${status < '400' ? ' open' : ''}><summary>${status === 'default' ? 'Any other status' : status}</summary>${markdown(response.description)}${bodyOf(response)}</details>`;

const schemaOf = ([name, schema]: [string, Schema]) =>
  `<article id="schema-${name}"><h3>${name}</h3>${fieldsOf(schema)}</article>`;

const bodyOf = ({ content = {} }: Body): string =>
  Object.entries(content)
    .map(([type, { schema = {}, example }]) => {
      const shown = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
      return `<p>${code(type)} ${typeOf(schema)}</p>${shown === undefined ? '' : `<pre>${text(shown)}</pre>`}`;
    })
    .join('\n');

const fieldsOf = ({ properties = {}, required = [] }: Schema): string =>
  listOf(Object.entries(properties), ([name, field]) => {
    const note = `${typeOf(field)}${required.includes(name) ? '' : ', optional'}`;
    return `${code(name)} <small>${note}</small>${markdown(field.description ?? '')}${field.properties ? fieldsOf(field) : ''}`;
  });

const listOf = <Item>(items: readonly Item[], render: (item: Item) => string): string =>
  `<ul>${items.map((item) => `<li>${render(item)}</li>`).join('\n')}</ul>`;

/** @returns HTML: the type in words, with a link to a schema that has a name. */
function typeOf({ $ref, type = '', ...schema }: Schema): string {
  const name = $ref?.split('/').at(-1);
  if (name) return `<a href="#schema-${name}">${name}</a>`;
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(' or ');
  return type === 'array' ? `list of ${typeOf(schema.items ?? {})}` : text(type);
}

const code = (name: string): string => `<code>${text(name)}</code>`;

/** Renders what the descriptions use of Markdown: paragraphs, lists, code and bold text. */
const markdown = (source: string): string =>
  text(source)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .split('\n\n')
    .map((block) =>
      block.startsWith('- ') ? listOf(block.slice(2).split('\n- '), (item) => item) : `<p>${block}</p>`,
    )
    .join('\n');
