import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { probe } from '@cowrie/testkit/harness/probe.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { documentOf } from '../../server/src/service.ts'
import type { JsonObject } from './document.ts'
import { generateSdk, operationTable } from './generate.ts'
import { typeOf } from './types.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'cowrie-sdk-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const flat = (schema: JsonObject, key?: string): string =>
  typeOf(
    schema,
    new Map([
      ['Plan', { type: 'object' }],
      ['Amount', { type: 'integer' }],
    ]),
    key,
  ).replaceAll(/\s+/g, ' ')

describe('a schema becomes a type', () => {
  test.for<{ it: string; schema: JsonObject; key?: string; type: string }>([
    {
      it: 'string, boolean and null',
      schema: { type: ['string', 'boolean', 'null'] },
      type: 'string | boolean | null',
    },
    {
      it: 'integers and numbers',
      schema: { anyOf: [{ type: 'integer' }, { type: 'number' }] },
      type: 'number',
    },
    {
      it: 'an amount, by its field name',
      schema: { type: 'integer', format: 'int64' },
      key: 'amountMinor',
      type: 'bigint',
    },
    {
      it: 'a nullable amount',
      schema: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      key: 'capMinor',
      type: 'bigint | null',
    },
    {
      it: 'an amount with a named schema',
      schema: { $ref: '#/components/schemas/Amount' },
      key: 'capMinor',
      type: 'bigint',
    },
    {
      it: 'a 64-bit count that is not an amount',
      schema: { type: 'integer', format: 'int64' },
      key: 'seq',
      type: 'number',
    },
    { it: 'a choice', schema: { enum: ['a', "it's", 5, null] }, type: `'a' | "it's" | 5 | null` },
    { it: 'a constant', schema: { const: true }, type: 'true' },
    { it: 'a list', schema: { type: 'array', items: { type: 'string' } }, type: 'string[]' },
    {
      it: 'a list of enum values',
      schema: { type: 'array', items: { enum: ['a', 'b'] } },
      type: "Array<'a' | 'b'>",
    },
    {
      it: 'a pair',
      schema: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
      type: '[string, number]',
    },
    {
      it: 'a named schema',
      schema: { oneOf: [{ $ref: '#/components/schemas/Plan' }, { type: 'null' }] },
      type: 'Plan | null',
    },
    {
      it: 'an intersection',
      schema: {
        allOf: [{ $ref: '#/components/schemas/Plan' }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
      },
      type: 'Plan & (string | null)',
    },
    { it: 'anything', schema: {}, type: 'unknown' },
    {
      it: 'a map',
      schema: { type: 'object', additionalProperties: { type: 'boolean' } },
      type: '{ [key: string]: boolean }',
    },
    {
      it: 'an empty object',
      schema: { type: 'object', additionalProperties: false },
      type: 'Record<string, never>',
    },
    {
      it: 'an object',
      schema: {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string', description: 'Ends */ here.' }, 'b-c': { type: 'integer' } },
        additionalProperties: false,
      },
      type: "{ /** Ends *\\/ here. */ a: string 'b-c'?: number | undefined }",
    },
  ])('$it', ({ schema, key, type }) => {
    expect(flat(schema, key)).toBe(type)
  })

  test('an unknown reference is an error', () => {
    expect(() => flat({ $ref: '#/components/schemas/Gone' })).toThrow('not in the document')
  })
})

const operation = (operationId: string, more: JsonObject = {}): JsonObject => ({
  operationId,
  summary: 'x',
  responses: { 200: { content: { 'application/json': { schema: {} } } } },
  ...more,
})
const documentWith = (paths: JsonObject, schemas: JsonObject = {}): JsonObject => ({
  info: { 'x-api-version': 2 },
  paths,
  components: { schemas },
})

describe('the table', () => {
  test('describes the call of each operation', () => {
    const table = operationTable(documentOf([probe], '0.4.0') as JsonObject)
    expect(table['probe.spend']).toEqual({
      method: 'POST',
      path: '/probe/spend',
      body: true,
      idempotent: true,
    })
    expect(table['probe.stream']).toEqual({
      method: 'POST',
      path: '/probe/stream',
      body: true,
      idempotent: true,
      reply: 'stream',
    })
    expect(table['probe.list']).toEqual({
      method: 'GET',
      path: '/probe/items/{itemId}',
      query: true,
    })
  })

  test('has a second method for the stream of an operation that also sends JSON', () => {
    const content = { 'application/json': { schema: {} }, 'text/event-stream': { schema: {} } }
    const run = operation('a.run', { 'x-streams': 'accept', responses: { 200: { content } } })
    const table = operationTable(documentWith({ '/run': { post: run } }))
    expect(table).toEqual({
      'a.run': { method: 'POST', path: '/run' },
      'a.runStream': { method: 'POST', path: '/run', reply: 'stream' },
    })
  })

  test('omits redirects and distinguishes text from files', () => {
    const redirect = { operationId: 'a.go', summary: 'x', responses: { 302: {} } }
    const media = (type: string): JsonObject => ({
      200: { content: { [type]: { schema: { type: 'string' } } } },
    })
    const table = operationTable(
      documentWith({
        '/go': { get: redirect },
        '/text': { get: operation('a.text', { responses: media('text/html') }) },
        '/file': { get: operation('a.file', { responses: media('application/pdf') }) },
      }),
    )
    expect(Object.entries(table).map(([name, { reply }]) => [name, reply])).toEqual([
      ['a.text', 'text'],
      ['a.file', 'bytes'],
    ])
  })
})

test('a reply with several media types has the schema of plain JSON', () => {
  const plain = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }
  const content = {
    'application/json': { schema: { ...plain, additionalProperties: false } },
    'application/sarif+json': { schema: { type: 'string' } },
  }
  const document = documentWith({ '/a': { post: operation('a.scan', { responses: { 200: { content } } }) } })
  expect(generateSdk(document)).toContain('export type AScanReply = {\n  a: number\n}')
})

describe('invalid names are refused', () => {
  test.for([
    {
      it: 'an operation that is also a group',
      document: documentWith({ '/a': { get: operation('a.b') }, '/b': { get: operation('a.b.c') } }),
      says: 'a.b cannot be both',
    },
    {
      it: 'a group that hides request()',
      document: documentWith({ '/a': { get: operation('request.get') } }),
      says: 'would hide',
    },
    {
      it: 'two schemas with one name',
      document: documentWith({ '/a': { get: operation('a.b') } }, { ABReply: {} }),
      says: 'two types would be called ABReply',
    },
    {
      it: 'a schema that hides a built-in',
      document: documentWith({}, { Promise: {} }),
      says: 'cannot be called Promise',
    },
  ])('$it', ({ document, says }) => {
    expect(() => generateSdk(document)).toThrow(says)
  })
})

const USE = `
import { createClient, type Client } from './index.ts'
const client: Client = createClient({ baseUrl: '' })
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never
const yes = <T extends true>(): T | void => undefined

export async function use() {
  const spent = await client.probe.spend({ amountMinor: 5n, note: undefined })
  yes<Same<typeof spent.amountMinor, bigint>>()
  const listed = await client.probe.list('item', { limit: 5 }, { retries: 0 })
  yes<Same<typeof listed, { limit: number; itemId: string }>>()
  for await (const frame of client.probe.stream({ frames: 1 })) yes<Same<typeof frame.delta, string | undefined>>()
  await client.probe.person({ timeoutMs: 5 })
}

export const wrong = [
  () => client.probe.spend({ amountMinor: 5 }),
  () => client.probe.spend(),
  () => client.probe.list(),
  () => client.probe.stream({ frames: 1, fail: 'later' }),
  () => client.probe.person({ key: 'x' }),
]
`

describe('the printed client', () => {
  cpSync(join(ROOT, 'sdk/src'), folder, { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  writeFileSync(join(folder, 'generated.ts'), generateSdk(documentOf([probe], '0.4.0') as JsonObject))
  writeFileSync(join(folder, 'use.ts'), USE)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const wrongLines = USE.split('\n').flatMap((line, index) => (/^ {2}\(\) =>/.test(line) ? [index + 1] : []))

  test.for([
    {
      where: 'Node.js',
      compilerOptions: { lib: ['es2023'], types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
    },
    { where: 'a browser', compilerOptions: { lib: ['es2023', 'dom'], types: [] } },
  ])('compiles for $where with our strict options and rejects wrong arguments', ({ compilerOptions }) => {
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(ROOT, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] }),
    )
    const complaints = compile().filter((line) => line.includes('error TS'))
    const places = complaints.map((line) => /^(.+)\((\d+),/.exec(line)?.slice(1, 3).join(':'))
    expect(places, complaints.join('\n')).toEqual(wrongLines.map((line) => `use.ts:${line}`))
  })
})

function compile(): string[] {
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return stdout.split('\n')
}
