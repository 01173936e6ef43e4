// A JSON Schema as HTML: type, limits, then fields.
import { Html, html } from '../../../../kernel/html.ts'
import type { Schema, Schemas } from './document.ts'

const DEPTH_MAX = 8
/** Named schemas are shown in place up to this depth. */
const INLINE_DEPTH_MAX = 2
const NOTHING = new Html('')

/** The named schemas to show in place, the word for optional fields, and how deep the value is. */
export type ShapeContext = { readonly schemas: Schemas; readonly optional: string; readonly depth: number }
const OUTERMOST: ShapeContext = { schemas: {}, optional: 'optional', depth: 0 }

/** The type of a value and its nested fields. */
export function shape(schema: Schema, context = OUTERMOST): Html {
  return html`<span class="type">${typeOf(schema)}</span>${limits(schema)}${schema.description ? prose(schema.description) : NOTHING}${fieldsOf(schema, context)}`
}

/** The schema of a body, without the word "object" before its fields. */
export function bodyShape(schema: Schema, context: ShapeContext): Html {
  return schema.type === 'object' && schema.properties ? fieldsOf(schema, context) : shape(schema, context)
}

export const SHAPES_PATH = '/docs/api/shapes'
/** The anchor of a named schema. */
export const shapeId = (name: string): string => `shape-${name}`
const nameOf = ($ref: string): string => $ref.split('/').at(-1) ?? ''

function typeOf(schema: Schema): Html {
  if (schema.$ref) {
    const name = nameOf(schema.$ref)
    return html`<a href="${SHAPES_PATH}#${shapeId(name)}">${name}</a>`
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

/** Deeper fields than `DEPTH_MAX` are only in the document. */
function fieldsOf(schema: Schema, context: ShapeContext): Html {
  const { schemas, depth } = context
  if (schema.$ref) {
    const named = depth < INLINE_DEPTH_MAX ? schemas[nameOf(schema.$ref)] : undefined
    return named ? fieldsOf(named, context) : NOTHING
  }
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
      : html`<dl class="shape">${fields.map(([name, field]) => fieldOf(name, field, schema.required?.includes(name) ?? false, context))}</dl>`
  return html`${own}${inner.map((each) => fieldsOf(each, context))}`
}

function fieldOf(name: string, field: Schema, required: boolean, context: ShapeContext): Html {
  return html`<div><dt><code>${name}</code>${required ? NOTHING : html` <small>${context.optional}</small>`}</dt><dd>${shape(field, { ...context, depth: context.depth + 1 })}</dd></div>`
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
