import { describe, expect, test } from 'vitest'
import type { Document, Operation } from './document.ts'
import { referencePage } from './page.ts'
import { prose, shape } from './shape.ts'

const ASSETS = { script: 'reference-AAAAAAAA.js', style: 'style-AAAAAAAA.css', icon: 'icon-AAAAAAAA.svg' }
const text = (markup: string): string =>
  markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const documentOf = (operation: Partial<Operation>): Document => ({
  info: { title: 'Cowrie', version: '1.0.0', description: 'About `it`.' },
  tags: [{ name: 'things' }, { name: 'empty' }],
  paths: {
    '/things/{id}': {
      get: {
        operationId: 'things.get',
        tags: ['things'],
        summary: 'Read a thing.',
        responses: { 200: { description: 'Done.' } },
        ...operation,
      },
    },
  },
  components: {
    schemas: { Thing: { type: 'object', properties: { parent: { $ref: '#/components/schemas/Thing' } } } },
    securitySchemes: {},
  },
})

describe('the page', () => {
  test('escapes all text', () => {
    const evil = '"><script>alert(1)</script>'
    const page = referencePage(
      documentOf({
        summary: evil,
        description: evil,
        operationId: evil,
        parameters: [{ name: evil, in: 'query', description: evil, schema: { enum: [evil], default: evil } }],
      }),
      ASSETS,
    )
    expect(page).not.toContain('<script>alert')
    expect(page).toContain('&#60;script&#62;alert')
  })

  test('lists each error once, by status, with its message', () => {
    const refused = (code: string, error: string) => ({ [code]: { value: { error, code } } })
    const page = referencePage(
      documentOf({
        responses: {
          200: { description: 'Done.' },
          429: {
            description: 'x',
            content: { 'application/json': { examples: refused('rate_limited', 'Slow down.') } },
          },
          401: {
            description: 'x',
            content: { 'application/json': { examples: refused('unauthorized', 'Sign in.') } },
          },
        },
      }),
      ASSETS,
    )
    expect(text(page.slice(page.indexOf('id="refusals"')))).toContain(
      'Refusals 401 unauthorized Sign in. 429 rate_limited Slow down.',
    )
    expect(page).toContain('<a href="#error-rate_limited">rate_limited</a>')
  })

  test('omits tags without operations and stops at recursive schemas', () => {
    const page = referencePage(documentOf({}), ASSETS)
    expect(page).not.toContain('Empty')
    expect(page).toContain('id="shape-Thing"')
  })
})

describe('a schema', () => {
  test.for([
    { schema: { $ref: '#/components/schemas/Me' }, words: 'Me' },
    { schema: { type: ['string', 'null'] }, words: 'string or null' },
    {
      schema: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
      words: 'string (date-time) or null',
    },
    { schema: { type: 'array', items: { type: 'integer' } }, words: 'list of integer' },
    { schema: { type: 'string', enum: ['a', 'b'], default: 7 }, words: 'one of a , b default 7' },
    { schema: { type: 'integer', minimum: 1, maximum: 200 }, words: 'integer 1 to 200' },
    {
      schema: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      words: 'integer',
    },
    { schema: { type: 'string', minLength: 1, maxLength: 50 }, words: 'string 1 to 50 characters' },
    { schema: { const: true }, words: 'always true' },
    { schema: {}, words: 'anything' },
    { schema: { type: 'object', additionalProperties: { type: 'number' } }, words: 'object of number' },
    {
      schema: {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string' }, b: { type: 'object', properties: { c: { type: 'boolean' } } } },
      },
      words: 'object a string b optional object c optional boolean',
    },
  ])('is shown as: $words', ({ schema, words }) => {
    expect(text(shape(schema).markup)).toBe(words)
  })

  test('with endless nesting is truncated', () => {
    let schema: Record<string, unknown> = { type: 'string' }
    for (let depth = 0; depth < 50; depth++) schema = { type: 'object', properties: { inner: schema } }
    expect(text(shape(schema).markup)).toContain('Further fields are in the document.')
  })
})

test('prose supports only paragraphs and code', () => {
  expect(prose('One `a<b` two.\n\nThree *four*.').markup).toBe(
    '<p>One <code>a&#60;b</code> two.</p><p>Three *four*.</p>',
  )
})
