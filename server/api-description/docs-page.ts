/** The page that shows the description of the API to people: HTML and one style, without scripts (docs/decisions/0048). */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths, screens } from '../../contract/paths.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { STATUS_CODES } from '../http/node-http.ts';

/** The parts of the description that the page shows. */
export type ApiDocument = {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    examples: Record<string, { summary: string; value: { status: number } }>;
    securitySchemes: Record<string, { description?: string }>;
  };
};
type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, unknown>[];
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description: string;
    schema: Schema;
    example?: unknown;
  }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
};
type Media = { schema?: Schema; example?: unknown; examples?: Record<string, unknown> };
type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  description?: string;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
};

const style = readFileSync(join(import.meta.dirname, 'docs-page.css'), 'utf8');

/** @returns the face of the shop's font, which the build has given a name of its own; nothing where there is none. */
const fontFace = (address: string | undefined): string =>
  address === undefined
    ? ''
    : `@font-face{font-family:"Literata";font-weight:400 600;font-display:swap;src:url("${address}") format("woff2")}\n`;

/** Stricter than the policy of the other pages: the page has its own style and loads nothing but the icon and a font. */
const policyFor = (pageStyle: string) => ({
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', pageStyle, 'base64')}'`,
    "font-src 'self'",
    // The icon of the tab.
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
});

/** @param fontAddress of the shop's font. @returns the whole page, and the headers of its policy. */
export function docsPage(
  { info, tags, paths: calls, components }: ApiDocument,
  fontAddress: string | undefined,
): { page: string; policy: Record<string, string> } {
  const pageStyle = fontFace(fontAddress) + style;
  const operations = Object.entries(calls).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      call: `${method.toUpperCase()} ${path}`,
    })),
  );
  const groups = tags.map((tag) => ({ ...tag, of: operations.filter((one) => one.tags.includes(tag.name)) }));
  const title = `API of ${escapeHtml(info.title)}`;
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${pageStyle}</style>
</head>
<body>
<header>
<p><a href="${screens.home}">${escapeHtml(info.title)}</a></p>
<h1>${title}</h1>
<p class="note">Version ${escapeHtml(info.version)}. For programs: <a href="${paths.openApi}">${paths.openApi}</a> (OpenAPI 3.1).</p>
</header>
<nav aria-label="Contents">
${groups.map(renderContents).join('\n')}
<h2>More</h2>
<ul><li><a href="#admission">Who may call</a></li><li><a href="#errors">Errors</a></li><li><a href="#schemas">Schemas</a></li></ul>
</nav>
<main>
${renderMarkdown(info.description)}
<section id="admission"><h2>Who may call</h2>${renderSchemes(components.securitySchemes)}</section>
${groups.map(renderGroup).join('\n')}
<section id="errors"><h2>Errors</h2>${Object.entries(components.examples).map(renderProblem).join('\n')}</section>
<section id="schemas"><h2>Schemas</h2>${Object.entries(components.schemas).map(renderSchema).join('\n')}</section>
</main>
</body>
</html>
`;
  return { page, policy: policyFor(pageStyle) };
}

type Call = Operation & { call: string };
type Group = { name: string; description: string; of: Call[] };

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const renderContents = ({ name, of }: Group): string => `<h2>${escapeHtml(capitalized(name))}</h2>
<ul>${of.map(({ operationId, summary }) => `<li><a href="#${operationId}">${escapeHtml(summary)}</a></li>`).join('')}</ul>`;

const renderGroup = ({ name, description, of }: Group): string =>
  `<section id="${escapeHtml(name)}"><h2>${escapeHtml(capitalized(name))}</h2>
<p>${escapeHtml(description)}</p>
${of.map(renderCall).join('\n')}</section>`;

const renderCall = ({ call, operationId, summary, description, security, ...parts }: Call): string =>
  `<article id="${operationId}">
<h3><a href="#${operationId}"><code>${escapeHtml(call)}</code></a> ${escapeHtml(summary)}</h3>
${renderMarkdown(description)}
<p>${security.length === 0 ? 'Anyone may call it.' : `Admitted by: ${security.flatMap(Object.keys).map(codeOf).join(' or ')}.`}</p>
${renderParameters(parts.parameters ?? [])}
${parts.requestBody ? `<h4>Request</h4>${Object.entries(parts.requestBody.content).map(renderMedia).join('\n')}` : ''}
<h4>Responses</h4>
${Object.entries(parts.responses).map(renderResponse).join('\n')}
</article>`;

const renderParameters = (parameters: NonNullable<Operation['parameters']>): string =>
  parameters.length === 0
    ? ''
    : `<h4>Parameters</h4>
<dl>${parameters
        .map(
          ({ name, in: place, required, description, schema, example }) =>
            `<dt>${codeOf(name)} <span class="note">${place}, ${typeOf(schema)}${required ? ', required' : ''}</span></dt>
<dd>${renderMarkdown(description)}${example === undefined ? '' : `<p class="note">Example: ${codeOf(String(example))}</p>`}</dd>`,
        )
        .join('\n')}</dl>`;

/** A success is shown at once; a problem when its status is opened. */
function renderResponse([status, { description, content = {} }]: [string, Operation['responses'][string]]) {
  const media = Object.entries(content).map(renderMedia).join('\n');
  const body = `${renderMarkdown(description)}${media}`;
  const name = status === 'default' ? 'Any other status' : `${status} ${STATUS_CODES[status] ?? ''}`;
  return status < '400'
    ? `<p><strong>${name}</strong></p>${body}`
    : `<details><summary>${name}</summary>${body}</details>`;
}

/** A body of problems leads to the examples of its codes, which are the same everywhere. */
const renderMedia = ([type, { schema = {}, example, examples }]: [string, Media]): string =>
  `<p>${codeOf(type)}${examples ? `: ${Object.keys(examples).map(linkToProblem).join(', ')}` : ` <span class="note">${typeOf(schema)}</span>`}</p>
${example === undefined ? '' : renderValue(example)}`;

const linkToProblem = (code: string): string => `<a href="#${code}">${code}</a>`;

const renderValue = (value: unknown): string =>
  `<pre><code>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</code></pre>`;

const renderSchemes = (schemes: ApiDocument['components']['securitySchemes']): string =>
  `<dl>${Object.entries(schemes)
    .map(([name, { description = '' }]) => `<dt>${codeOf(name)}</dt><dd>${renderMarkdown(description)}</dd>`)
    .join('\n')}</dl>`;

const renderProblem = ([code, { summary, value }]: [
  string,
  { summary: string; value: { status: number } },
]) =>
  `<article id="${code}"><h3><code>${code}</code> ${value.status}</h3><p>${escapeHtml(summary)}</p>${renderValue(value)}</article>`;

const renderSchema = ([name, schema]: [string, Schema]): string =>
  `<article id="schema-${name}"><h3>${name}</h3>${renderFields(schema)}</article>`;

const renderFields = ({ properties = {}, required = [] }: Schema): string =>
  `<dl>${Object.entries(properties)
    .map(
      ([name, field]) =>
        `<dt>${codeOf(name)} <span class="note">${typeOf(field)}${required.includes(name) ? '' : ', optional'}</span></dt>
<dd>${renderMarkdown(field.description ?? '')}${field.properties ? renderFields(field) : ''}</dd>`,
    )
    .join('\n')}</dl>`;

/** @returns HTML: the type in words, with a link to a schema that has a name. */
function typeOf(schema: Schema): string {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if ('const' in schema) return codeOf(JSON.stringify(schema.const));
  const fallback = schema.default === undefined ? '' : `, by default ${codeOf(String(schema.default))}`;
  if (schema.enum) return schema.enum.map((value) => codeOf(String(value))).join(' or ') + fallback;
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  const range = schema.maximum === undefined ? '' : `, ${schema.minimum ?? 0} to ${schema.maximum}`;
  const length = schema.maxLength === undefined ? '' : `, at most ${schema.maxLength} characters`;
  return escapeHtml(schema.type ?? 'any') + range + length + fallback;
}

const codeOf = (text: string): string => `<code>${escapeHtml(text)}</code>`;

/** Renders what the descriptions use of Markdown: paragraphs, lists, code and bold text. */
function renderMarkdown(text: string): string {
  const inline = (part: string) =>
    escapeHtml(part)
      .replace(/`([^`]+)`/g, '<code>$1</code>')
      .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
  const blocks = text.split('\n\n').filter((block) => block !== '');
  return blocks
    .map((block) =>
      block.startsWith('- ')
        ? `<ul>${block
            .split('\n')
            .map((item) => `<li>${inline(item.slice(2))}</li>`)
            .join('')}</ul>`
        : `<p>${inline(block)}</p>`,
    )
    .join('\n');
}
