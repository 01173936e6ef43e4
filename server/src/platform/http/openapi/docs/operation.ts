// One operation of the reference: what it does, its input, responses and errors; beside it the samples.
import { Html, html } from '../../../../kernel/html.ts'
import { exampleOf } from '../example.ts'
import {
  type DocumentedResponse,
  isRefusal,
  type ListedOperation,
  type Media,
  type Operation,
  type Parameter,
  refusalCodes,
  type Schemas,
} from './document.ts'
import { coloured, sampleSet } from './markdown.ts'
import { encoded, printSample, SAMPLE_LANGUAGES, type SampleLanguage } from './print-sample.ts'
import { sampleCall, streams } from './samples.ts'
import { bodyShape, prose, type ShapeContext, shape } from './shape.ts'
import type { Texts } from './texts.ts'

const NOTHING = new Html('')
const LANGUAGES = Object.keys(SAMPLE_LANGUAGES) as SampleLanguage[]

export type OperationContext = { readonly schemas: Schemas; readonly texts: Texts; readonly baseUrl: string }

/** The script of the page reads the data attributes to try the call. */
export function operationEntry(listed: ListedOperation, context: OperationContext): Html {
  const { method, path, operation } = listed
  const { texts, schemas, baseUrl } = context
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const marks = html`${operation['x-paid'] ? html` data-paid` : NOTHING}`
  const call = sampleCall(listed, schemas)
  const sample = { isInSdk: call.sdk !== null, streams: streams(operation), credential: call.credential }
  const samples = LANGUAGES.map((language) => ({ language, text: printSample(language, call, baseUrl) }))
  const succeeded = Object.entries(responses).filter(([status]) => !isRefusal(status))
  const shown: ShapeContext = { schemas, optional: texts.optional, depth: 0 }
  return html`<article class="operation step" id="${operationId}" data-method="${method}" data-path="${path}" data-sample="${JSON.stringify(sample)}"${marks}>
<div class="text">
<h2><a href="#${operationId}">${summary}</a></h2>
<p class="address">${methodMark(method)} <code>${path}</code></p>
${description ? prose(description) : NOTHING}
<dl class="facts">${factsOf(operation, texts).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${parameters.length > 0 ? html`<h3>${texts.parameters}</h3><dl class="shape">${parameters.map((parameter) => parameterEntry(parameter, texts))}</dl>` : NOTHING}
${requestBody ? html`<h3>${texts.body}</h3>${Object.values(requestBody.content).map(({ schema = {} }) => html`<div class="body">${bodyShape(schema, shown)}</div>`)}` : NOTHING}
<h3>${texts.responses}</h3>
${succeeded.map(([status, answer]) => answerEntry(status, answer, shown, texts))}
${refusalsEntry(responses, texts)}
<div class="try"></div>
</div>
<div class="side">
${sampleSet(samples, `${method} ${path}`)}
${requestBody ? Object.entries(requestBody.content).map(([type, media]) => tryBody(type, media)) : NOTHING}
${succeeded.map(([status, answer]) => exampleEntry(status, answer, schemas, texts))}
</div>
</article>`
}

export const methodMark = (method: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`
export const ERRORS_PATH = '/docs/api/errors'
export const refusalId = (code: string): string => `error-${code}`

function factsOf(operation: Operation, texts: Texts): [string, string][] {
  const facts: [string, string][] = [[texts.access, accessText(operation['x-access'] ?? 'none')]]
  if (operation['x-paid']) facts.push([texts.cost, texts.debits])
  if (operation['x-step-up']) facts.push([texts.access, texts.stepUp])
  if (operation['x-idempotency']) facts.push(['Idempotency-Key', operation['x-idempotency']])
  facts.push(
    [texts.rateLimit, operation['x-rate-bucket'] ?? texts.exempt],
    [texts.name, operation.operationId],
  )
  return facts
}

const ACCESS: Record<string, string> = {
  none: 'Everyone',
  session: 'A signed-in browser',
  any: 'Any person or API key',
}
const accessText = (access: string): string =>
  ACCESS[access] ?? `${access.charAt(0).toUpperCase()}${access.slice(1)}`

function parameterEntry(
  { name, in: place, required, description, schema = {} }: Parameter,
  texts: Texts,
): Html {
  const mark = required ? html` data-required` : NOTHING
  return html`<div data-parameter="${name}" data-in="${place}"${mark}><dt><code>${name}</code> <small>${place}${required ? '' : `, ${texts.optional}`}</small></dt><dd>${shape(schema)}${description ? prose(description) : NOTHING}</dd></div>`
}

/** The body that "Try it" starts with. The samples show it. */
const tryBody = (type: string, { example }: Media): Html =>
  example === undefined ? NOTHING : html`<template data-body="${type}">${encoded(example, type)}</template>`

function answerEntry(
  status: string,
  { description, content = {} }: DocumentedResponse,
  context: ShapeContext,
  texts: Texts,
): Html {
  const media = Object.entries(content).map(([type, { schema = {} }]) => {
    const fields = bodyShape(schema, context)
    const body = fields.markup.includes('<dl')
      ? html`<details><summary>${texts.fields}</summary>${fields}</details>`
      : fields
    return html`<div class="body"><small>${type}</small> ${body}</div>`
  })
  return html`<div class="answer"><p><b class="status">${status}</b> ${description}</p>${media}</div>`
}

/** Plain text, such as CSV, has a description instead of an example. */
function exampleEntry(
  status: string,
  { content = {} }: DocumentedResponse,
  schemas: Schemas,
  texts: Texts,
): Html {
  const shown = Object.values(content).filter(({ schema = {} }) => schema.type !== 'string')
  return html`${shown.map(({ schema = {} }) => html`<details class="example code" open><summary>${texts.response} ${status}</summary><pre tabindex="0"><code>${coloured(pretty(exampleOf(schema, schemas, 'reply')), 'json')}</code></pre></details>`)}`
}

function refusalsEntry(responses: Record<string, DocumentedResponse>, texts: Texts): Html {
  const refusals = Object.entries(responses).filter(([status]) => isRefusal(status))
  if (refusals.length === 0) return NOTHING
  const entry = (status: string, codes: readonly string[]) =>
    html`<li><b class="status">${status}</b>${codes.map((code) => html` <a href="${ERRORS_PATH}#${refusalId(code)}">${code}</a>`)}</li>`
  const statuses = refusals.map(([status]) => html` <b class="status">${status}</b>`)
  return html`<details class="refusals"><summary>${texts.errors}${statuses}</summary><ul>${refusals.map(([status, answer]) => entry(status, refusalCodes(answer)))}</ul></details>`
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2)
