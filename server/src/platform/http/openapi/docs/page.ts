// The reference as one page that works without a script.
import { type Html, html } from '../../../../kernel/html.ts'
import { resolveComponents } from '../components.ts'
import { type Document, isRefusal, type ListedOperation, operationsByTag } from './document.ts'
import { methodMark, operationEntry, refusalId } from './operation.ts'
import { prose, shape, shapeId } from './shape.ts'

export type Assets = { script: string; style: string; icon: string }

export function referencePage(published: Document, { script, style, icon }: Assets): string {
  const document = resolveComponents(published)
  const { info, components } = document
  const groups = operationsByTag(document)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} API reference</title>
<meta name="description" content="Every operation of the ${info.title} API, with shapes, examples and refusals.">
<link rel="icon" type="image/svg+xml" href="/docs/${icon}">
<link rel="stylesheet" href="/docs/${style}">
<script type="module" src="/docs/${script}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar"><a class="brand" href="/docs">${info.title} <span>API reference</span></a><nav aria-label="Main"><a href="/openapi.json">openapi.json</a> <a href="/app">App</a></nav></header>
<div class="weave" aria-hidden="true"></div>
<div class="columns">
<nav class="contents" aria-label="Operations">
<search hidden><label for="search">Find an operation</label><input id="search" type="search" autocomplete="off" spellcheck="false"><p class="help" role="status"></p></search>
${groups.map(({ tag, operations }) => html`<section><h2>${titled(tag)}</h2><ul>${operations.map(contentsEntry)}</ul></section>`)}
<section><h2>Words</h2><ul><li><a href="#shapes">Shapes</a></li><li><a href="#refusals">Refusals</a></li></ul></section>
</nav>
<main id="main" tabindex="-1">
<section class="intro"><h1>${info.title} API</h1><p class="version">Version ${info.version}</p>${prose(info.description ?? '')}</section>
${credentials(document)}
${groups.map(({ tag, operations }) => html`<section class="group" id="tag-${tag}"><h2>${titled(tag)}</h2>${operations.map((operation) => operationEntry(operation, components.schemas))}</section>`)}
${shapes(document)}
${refusals(groups.flatMap(({ operations }) => operations))}
</main>
</div>
</body>
</html>`
  return page.markup
}

const titled = (tag: string): string => `${tag.charAt(0).toUpperCase()}${tag.slice(1).replaceAll('-', ' ')}`

function contentsEntry({ method, path, operation: { operationId, summary } }: ListedOperation): Html {
  return html`<li data-words="${`${method} ${path} ${operationId} ${summary}`.toLowerCase()}"><a href="#${operationId}" title="${summary}">${methodMark(method)} <span>${path}</span></a></li>`
}

function credentials({ components }: Document): Html {
  const entries = Object.entries(components.securitySchemes).map(
    ([name, { in: place, name: field, bearerFormat, description }]) => {
      const how = bearerFormat
        ? html`<code>Authorization: Bearer ${bearerFormat}</code>`
        : html`${place ?? ''} <code>${field ?? ''}</code>`
      return html`<div><dt><code>${name}</code></dt><dd>${how}${description ? prose(description) : html``}</dd></div>`
    },
  )
  return html`<section class="group" id="credentials"><h2>Credentials</h2>
<form class="token" hidden><label for="token">API key or token for trying things out</label><input id="token" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="token-help"><p class="help" id="token-help">It stays in this page and is forgotten when the page closes. Without one, calls are made as the signed-in browser.</p></form>
<dl class="shape">${entries}</dl>
</section>`
}

function shapes({ components }: Document): Html {
  const entries = Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<article class="entry" id="${shapeId(name)}"><h3><a href="#${shapeId(name)}">${name}</a></h3>${shape(schema)}</article>`,
  )
  return html`<section class="group" id="shapes"><h2>Shapes</h2>${entries}</section>`
}

/** Every error code of all operations, once, with its message. */
function refusals(operations: readonly ListedOperation[]): Html {
  const known = new Map<string, { status: string; text: string }>()
  for (const { operation } of operations) {
    for (const [status, { content = {} }] of Object.entries(operation.responses).filter(([status]) =>
      isRefusal(status),
    )) {
      for (const [code, { value }] of Object.values(content).flatMap(({ examples = {} }) =>
        Object.entries(examples),
      )) {
        known.set(code, { status, text: sentenceOf(value) })
      }
    }
  }
  const sorted = [...known].sort(
    ([a, { status: x }], [b, { status: y }]) => x.localeCompare(y) || a.localeCompare(b),
  )
  const rows = sorted.map(
    ([code, { status, text }]) =>
      html`<div id="${refusalId(code)}"><dt><b class="status">${status}</b> <code>${code}</code></dt><dd>${text}</dd></div>`,
  )
  return html`<section class="group" id="refusals"><h2>Refusals</h2><dl class="shape">${rows}</dl></section>`
}

/** In the OpenAI-compatible API the message is one level deeper. */
function sentenceOf(refusal: unknown): string {
  const { error = '' } = refusal as { error?: string | { message: string } }
  return typeof error === 'string' ? error : error.message
}
