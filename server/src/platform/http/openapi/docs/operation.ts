// One operation of the reference: summary, access, input, responses and errors.
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
import { bodyShape, prose, shape } from './shape.ts'

const NOTHING = new Html('')

/** The script of the page reads the data attributes to try the call. */
export function operationEntry({ method, path, operation }: ListedOperation, schemas: Schemas): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const marks = html`${operation['x-paid'] ? html` data-paid` : NOTHING}${operation['x-access'] === 'none' ? html` data-open` : NOTHING}`
  return html`<article class="operation" id="${operationId}" data-method="${method}" data-path="${path}"${marks}>
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="address">${methodMark(method)} <code>${path}</code></p>
${description ? prose(description) : NOTHING}
<dl class="facts">${factsOf(operation).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${parameters.length > 0 ? html`<h4>Parameters</h4><dl class="shape">${parameters.map(parameterEntry)}</dl>` : NOTHING}
${requestBody ? html`<h4>Body</h4>${Object.entries(requestBody.content).map(([type, media]) => bodyEntry(type, media))}` : NOTHING}
<h4>Answers</h4>
${Object.entries(responses)
  .filter(([status]) => !isRefusal(status))
  .map(([status, answer]) => answerEntry(status, answer, schemas))}
${refusalsEntry(responses)}
<div class="try"></div>
</article>`
}

export const methodMark = (method: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`
export const refusalId = (code: string): string => `error-${code}`

function factsOf(operation: Operation): [string, string][] {
  const facts: [string, string][] = [['Access', accessText(operation['x-access'] ?? 'none')]]
  if (operation['x-paid']) facts.push(['Cost', 'Debits the wallet'])
  if (operation['x-idempotency']) facts.push(['Idempotency-Key', operation['x-idempotency']])
  facts.push(['Rate limit', operation['x-rate-bucket'] ?? 'exempt'], ['Name', operation.operationId])
  return facts
}

const ACCESS: Record<string, string> = {
  none: 'Everyone',
  session: 'A signed-in browser',
  any: 'Any person or API key',
}
const accessText = (access: string): string =>
  ACCESS[access] ?? `${access.charAt(0).toUpperCase()}${access.slice(1)}`

function parameterEntry({ name, in: place, required, description, schema = {} }: Parameter): Html {
  const mark = required ? html` data-required` : NOTHING
  return html`<div data-parameter="${name}" data-in="${place}"${mark}><dt><code>${name}</code> <small>${place}${required ? '' : ', optional'}</small></dt><dd>${shape(schema)}${description ? prose(description) : NOTHING}</dd></div>`
}

function bodyEntry(type: string, { schema = {}, example }: Media): Html {
  return html`<div class="body">${bodyShape(schema)}${example === undefined ? NOTHING : html`<details><summary>Example</summary><pre data-body="${type}"><code>${pretty(example)}</code></pre></details>`}</div>`
}

function answerEntry(
  status: string,
  { description, content = {} }: DocumentedResponse,
  schemas: Schemas,
): Html {
  const media = Object.entries(content).map(([type, { schema = {} }]) => {
    // Plain text, such as CSV, has a description instead of an example.
    const shown =
      schema.type === 'string'
        ? NOTHING
        : html`<details><summary>Example</summary><pre><code>${pretty(exampleOf(schema, schemas, 'reply'))}</code></pre></details>`
    return html`<div class="body"><small>${type}</small> ${bodyShape(schema)}${shown}</div>`
  })
  return html`<div class="answer"><p><b class="status">${status}</b> ${description}</p>${media}</div>`
}

function refusalsEntry(responses: Record<string, DocumentedResponse>): Html {
  const refusals = Object.entries(responses).filter(([status]) => isRefusal(status))
  if (refusals.length === 0) return NOTHING
  const entry = (status: string, codes: readonly string[]) =>
    html`<li><b class="status">${status}</b>${codes.map((code) => html` <a href="#${refusalId(code)}">${code}</a>`)}</li>`
  return html`<h4>Refusals</h4><ul class="refusals">${refusals.map(([status, answer]) => entry(status, refusalCodes(answer)))}</ul>`
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2)
