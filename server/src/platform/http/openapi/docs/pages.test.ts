import { describe, expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '../../../../kernel/errors.ts'
import { LANGUAGE_CODES } from '../../../texts/language.ts'
import type { Document, Operation } from './document.ts'
import { GUIDE_NAMES, QUICKSTART, readGuide } from './guides.ts'
import { parseMarkdown, renderBlocks } from './markdown.ts'
import { createDocs } from './pages.ts'
import { prose, shape } from './shape.ts'
import { TEXTS } from './texts.ts'

const ASSETS = { script: 'reference-AAAAAAAA.js', style: 'style-AAAAAAAA.css', icon: 'icon-AAAAAAAA.svg' }
const page = (document: Document, path = '/docs/api/things'): string =>
  createDocs(document, ASSETS, 'https://cowrie.example').page(path, 'en') ?? ''
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
    const shown = page(
      documentOf({
        summary: evil,
        description: evil,
        operationId: evil,
        parameters: [{ name: evil, in: 'query', description: evil, schema: { enum: [evil], default: evil } }],
      }),
    )
    expect(shown).not.toContain('<script>alert')
    expect(shown).toContain('&#60;script&#62;alert')
  })

  test('lists each error once, by status, with its message', () => {
    const refused = (code: string, error: string) => ({ [code]: { value: { error, code } } })
    const failing = (code: string, error: string) => ({
      description: 'x',
      content: { 'application/json': { examples: refused(code, error) } },
    })
    const document = documentOf({
      responses: {
        200: { description: 'Done.' },
        429: failing('rate_limited', 'Slow down.'),
        401: failing('unauthorized', 'Sign in.'),
      },
    })
    expect(text(page(document, '/docs/api/errors'))).toContain(
      '401 unauthorized Sign in. 429 rate_limited Slow down.',
    )
    expect(page(document)).toContain('<a href="/docs/api/errors#error-rate_limited">rate_limited</a>')
  })

  test('shows the fields of a body in place, also those of a named schema, and stops at recursion', () => {
    const media = { schema: { $ref: '#/components/schemas/Thing' } }
    const shown = page(documentOf({ requestBody: { content: { 'application/json': media } } }))
    expect(text(shown)).toContain('Body Thing parent optional Thing parent optional Thing')
    expect(shown).toContain('href="/docs/api/shapes#shape-Thing"')
  })

  test('keeps staff operations apart', () => {
    const docs = createDocs(documentOf({ 'x-access': 'staff: operator' }), ASSETS, '')
    expect(docs.page('/docs/api/things', 'en')).toBe(null)
    expect(docs.page('/docs/staff/things', 'en')).toContain('Read a thing.')
    expect(docs.page('/docs/api/empty', 'en')).toBe(null)
  })

  test('has the anchors of the former single page, each with a link to its page of today', () => {
    expect(page(documentOf({}), '/docs')).toContain(
      '<li id="things.get"><a href="/docs/api/things#things.get">',
    )
  })

  test.for(LANGUAGE_CODES)('is a whole page in %s, with translated headings', (language) => {
    const docs = createDocs(documentOf({}), ASSETS, '')
    for (const path of docs.paths) {
      const shown = docs.page(path, language) ?? ''
      expect(shown).toContain(`<html lang="${language}"`)
      expect(shown.match(/<h1[ >]/g)).toHaveLength(1)
      expect(shown).not.toMatch(/undefined|\[object|\$\{texts/)
    }
    expect(docs.page('/docs/api/things', language)).toContain(`<h3>${TEXTS[language].responses}</h3>`)
    expect(docs.page('/docs', language)?.includes('class="notice"')).toBe(language !== 'en')
  })

  test('search finds guides, operations and errors by all words, also without a script', () => {
    const docs = createDocs(documentOf({}), ASSETS, '')
    expect(docs.searchPage('READ things/', 'en')).toContain('href="/docs/api/things#things.get"')
    expect(docs.searchPage('webhooks signature', 'en')).toContain(
      'href="/docs/guides/webhooks#verify-the-signature"',
    )
    expect(docs.searchPage('<b>no such', 'en')).toContain(TEXTS.en.nothing)
    expect(docs.searchPage('<b>', 'en')).not.toContain('<b>')
  })
})

test('links of the guides lead to pages and headings that exist', () => {
  const docs = createDocs(documentOf({}), ASSETS, '')
  const known = new Set([...docs.paths, '/docs/api/metering'])
  for (const name of [QUICKSTART, ...GUIDE_NAMES]) {
    const shown = docs.page(name === QUICKSTART ? '/docs' : `/docs/guides/${name}`, 'en') ?? ''
    const guide = shown.slice(shown.indexOf('<div class="guide"'))
    for (const [, target = ''] of guide.matchAll(/href="(\/docs[^"#]*)/g)) expect(known).toContain(target)
  }
})

describe('Markdown', () => {
  test('escapes text and drops links that could run a script', () => {
    const shown = renderBlocks(
      parseMarkdown('# <b>\n\n[x](javascript:alert(1)) [y](//evil.example) **z**'),
      '',
    )
    expect(shown.markup).not.toMatch(/<b>|href/)
    expect(shown.markup).toContain('<strong>z</strong>')
  })

  test('shows lists, tables and code of several languages beside the text', () => {
    const source =
      '- a\n  b\n- c\n\n| x | `a|b` |\n|---|---|\n| 1 | 2 |\n\n```sh\ncurl\n```\n\n```python\nprint()\n```\n\n```text\nout\n```\n'
    expect(text(renderBlocks(parseMarkdown(source), 'Output').markup)).toBe(
      'a b c x a|b 1 2 curl Python curl print() Output out',
    )
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

test('the guides name only error codes that exist, with their status', () => {
  const named = [QUICKSTART, ...GUIDE_NAMES].flatMap((name) =>
    readGuide(name, '').flatMap((block) => [...JSON.stringify(block).matchAll(/`(\d{3}) ([a-z_]+)`/g)]),
  )
  expect(named.length).toBeGreaterThan(8)
  for (const [, status, code = ''] of named)
    expect([code, ERRORS[code as ErrorCode]?.status]).toEqual([code, Number(status)])
})
