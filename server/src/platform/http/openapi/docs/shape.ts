// A JSON Schema as HTML: type, limits, then fields.
import { Html, html } from '../../../../kernel/html.ts'
import type { Schema } from './document.ts'

const DEPTH_MAX = 8
const NOTHING = new Html('')

/** The type of a value and its nested fields. */
export function shape(schema: Schema, depth = 0): Html {
  return html`<span class="type">${typeOf(schema)}</span>${limits(schema)}${schema.description ? prose(schema.description) : NOTHING}${fieldsOf(schema, depth)}`
}

/** The schema of a body, without the word "object" before its fields. */
export function bodyShape(schema: Schema): Html {
  return schema.type === 'object' && schema.properties ? fieldsOf(schema, 0) : shape(schema)
}

/** The anchor of a named schema. */
export const shapeId = (name: string): string => `shape-${name}`

function typeOf(schema: Schema): Html {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return html`<a href="#${shapeId(name)}">${name}</a>`
  }
  if (schema.const !== undefined) return html`always ${code(schema.const)}`
  if (schema.enum) return html`one of ${joined(schema.enum.map(code), ', ')}`
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return joined(choices.map(typeOf), ' or ')
  if (schema.allOf) return joined(schema.allOf.map(typeOf), ' and ')
  if (schema.type === 'array') return html`list of ${schema.items ? typeOf(schema.items) : 'anything'}`
  if (typeof schema.additionalProperties === 'object' && !schema.properties)
    return html`object of ${typeOf(schema.additionalProperties)}`
  if (schema.type === undefined) return html`anything`
  const format = schema.format ? html` (${schema.format})` : NOTHING
  return html`${typeof schema.type === 'string' ? schema.type : schema.type.join(' or ')}${format}`
}

function limits(schema: Schema): Html {
  const said = [
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' entries'),
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ].filter((part) => part !== '')
  return said.length === 0 ? NOTHING : html` <span class="limits">${said.join(', ')}</span>`
}

/** Omits the bounds of safe integers. */
function range(min: number | undefined, max: number | undefined, unit: string): string {
  const low = min === undefined || min <= Number.MIN_SAFE_INTEGER ? undefined : min
  const high = max === undefined || max >= Number.MAX_SAFE_INTEGER ? undefined : max
  if (low !== undefined && high !== undefined)
    return low === high ? `${low}${unit}` : `${low} to ${high}${unit}`
  if (low !== undefined) return unit === ' characters' && low <= 1 ? '' : `at least ${low}${unit}`
  return high === undefined ? '' : `at most ${high}${unit}`
}

/** Named schemas have their own section. Deeper fields than `DEPTH_MAX` are only in the document. */
function fieldsOf(schema: Schema, depth: number): Html {
  if (schema.$ref) return NOTHING
  if (depth > DEPTH_MAX) return html`<p class="limits">Further fields are in the document.</p>`
  const inner = [
    ...(schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ]
  if (typeof schema.additionalProperties === 'object') inner.push(schema.additionalProperties)
  const fields = Object.entries(schema.properties ?? {})
  const own =
    fields.length === 0
      ? NOTHING
      : html`<dl class="shape">${fields.map(([name, field]) => fieldOf(name, field, schema.required?.includes(name) ?? false, depth))}</dl>`
  return html`${own}${inner.map((each) => fieldsOf(each, depth))}`
}

function fieldOf(name: string, field: Schema, required: boolean, depth: number): Html {
  return html`<div><dt><code>${name}</code>${required ? NOTHING : html` <small>optional</small>`}</dt><dd>${shape(field, depth + 1)}</dd></div>`
}

const code = (value: unknown): Html =>
  html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`
const joined = (parts: readonly Html[], separator: string): Html =>
  new Html(parts.map(({ markup }) => markup).join(separator))

/** The Markdown that descriptions use: paragraphs and `code`. */
export function prose(text: string): Html {
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)
  return html`${paragraphs}`
}

/** Every second piece between backticks is code. */
const inline = (text: string): Html[] =>
  text.split('`').map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))
