import { describe, expect, test } from 'vitest'
import { ERRORS } from '../../../kernel/errors.ts'
import { modules as productModules } from '../../../modules.ts'
import { system } from '../../../system.ts'
import { errorResponseName, resolveComponents, shareComponents } from './components.ts'
import { expandedOpenApi, printOpenApi, type Tag } from './openapi.ts'

const tags: Tag[] = [system(() => ''), ...productModules].map(({ name, routes = [] }) => ({ name, routes }))
const VERSION = { version: '0', apiVersion: 2 }
const published = printOpenApi(tags, VERSION) as {
  paths: Record<string, Record<string, { responses: Record<string, object> }>>
  components: Record<string, Record<string, object>>
}
/** As JSON, which has no bigint. */
const plain = (document: unknown): unknown => JSON.parse(JSON.stringify(document))

describe('the published document', () => {
  test('equals the expanded one', () => {
    expect(plain(resolveComponents(published))).toEqual(plain(expandedOpenApi(tags, VERSION)))
  })

  test('is at most 1.9 MB in the repository and 0.93 MB on the wire', () => {
    expect(Buffer.byteLength(JSON.stringify(published, null, 2))).toBeLessThanOrEqual(1_900_000)
    expect(Buffer.byteLength(JSON.stringify(published))).toBeLessThanOrEqual(930_000)
  })

  test('has no inline error responses', () => {
    const responses = Object.values(published.paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap((operation) => Object.entries(operation.responses))
      .filter(([status]) => Number(status) >= 400)
    expect(responses.length).toBeGreaterThan(1_000)
    expect(responses.filter(([, response]) => Object.keys(response).join() !== '$ref')).toEqual([])
  })

  test('names its components by words, never by numbers', () => {
    const names = ['examples', 'parameters', 'responses'].flatMap((kind) =>
      Object.keys(published.components[kind] ?? {}),
    )
    expect(names.length).toBeGreaterThan(100)
    expect(names.filter((name) => !/^[A-Za-z_]+$/.test(name) && !/^LimitUpTo\d+$/.test(name))).toEqual([])
  })
})

describe('the name of an error response', () => {
  test.for([
    { codes: ['unauthenticated'], name: 'Unauthenticated' },
    { codes: ['idempotency_key_reused'], name: 'IdempotencyKeyReused' },
    { codes: ['malformed_json', 'bad_request', 'invalid_fields'], name: 'InvalidBody' },
    { codes: ['bad_request', 'invalid_fields', 'link_invalid'], name: 'InvalidQueryOrLinkInvalid' },
    { codes: ['wrong_code', 'challenge_ended'], name: 'ChallengeEndedOrWrongCode' },
  ])('of $codes is $name', ({ codes, name }) => {
    expect(errorResponseName(codes)).toBe(name)
    expect(errorResponseName(codes.toReversed())).toBe(name)
  })

  test('of a single code is unique, also among those of groups', () => {
    const names = Object.keys(ERRORS).map((code) => errorResponseName([code]))
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('sharing', () => {
  const withOperations = (...operations: object[]) => ({
    paths: Object.fromEntries(operations.map((operation, index) => [`/${index}`, { get: operation }])),
    components: { schemas: {} },
  })
  const refused = (description: string) => ({
    409: {
      description,
      content: { 'application/json': { examples: { taken: { value: { code: 'taken' } } } } },
    },
  })

  test('keeps the names of other components when an operation is added', () => {
    const first = { responses: refused('taken'), parameters: [{ name: 'orgId', in: 'path', required: true }] }
    const second = { responses: {}, parameters: [{ name: 'id', in: 'path', required: true }] }
    const before = shareComponents(withOperations(first)) as typeof published
    const after = shareComponents(withOperations(second, first)) as typeof published
    expect(after.paths['/1']).toEqual(before.paths['/0'])
    expect(Object.keys(after.components.parameters ?? {})).toEqual(['PathId', 'PathOrgId'])
  })

  test('rejects two different responses with the same name', () => {
    const document = withOperations({ responses: refused('one') }, { responses: refused('two') })
    expect(() => shareComponents(document)).toThrow('called Taken')
  })

  test('rejects a dangling reference', () => {
    const document = withOperations({ responses: { 409: { $ref: '#/components/responses/Gone' } } })
    expect(() => resolveComponents(document)).toThrow('#/components/responses/Gone is not in the document')
  })
})
