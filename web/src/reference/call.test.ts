import { describe, expect, test } from 'vitest'
import {
  printSample,
  type SampleLanguage,
} from '../../../server/src/platform/http/openapi/docs/print-sample.ts'
import { buildCall, type Operation, sampleOf } from './call.ts'

const field = (place: 'path' | 'query' | 'header', name: string, value: string) => ({ place, name, value })

describe('a call', () => {
  test('puts each field into path, query or body and omits empty ones', () => {
    const call = buildCall(
      { method: 'PUT', path: '/orgs/{orgId}/flags/{key}' },
      [
        field('path', 'orgId', 'org_1'),
        field('path', 'key', 'a b'),
        field('query', 'deep', 'true'),
        field('query', 'cursor', ''),
        field('header', 'Idempotency-Key', 'k1'),
      ],
      { text: '{}', type: 'application/json' },
    )
    expect(call).toEqual({
      method: 'PUT',
      address: '/orgs/org_1/flags/a%20b?deep=true',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k1' },
      body: '{}',
    })
  })

  test.for(['//evil.example/x', '../..', 'a?b#c', '\\evil'])(
    'stays on its origin and path with %s as a path field',
    (value) => {
      const { address } = buildCall(
        { method: 'GET', path: '/items/{id}' },
        [field('path', 'id', value)],
        null,
      )
      expect(new URL(address, 'http://here.test').origin).toBe('http://here.test')
      expect(address).toMatch(/^\/items\/[^/?#]+$/)
    },
  )
})

describe('the samples of a form', () => {
  const operation: Operation = {
    name: 'things.change',
    method: 'PUT',
    path: '/things/{thingId}/rows/{id}',
    sample: {
      isInSdk: true,
      streams: false,
      credential: { header: 'authorization', prefix: 'Bearer ', variable: 'COWRIE_API_KEY' },
    },
  }
  const json = (text: string) => ({ text, type: 'application/json' })

  test('show the typed values, every digit of an amount, and placeholders for empty path fields', () => {
    const call = sampleOf(
      operation,
      [
        field('path', 'thingId', ''),
        field('path', 'id', "it's"),
        field('query', 'limit', '7'),
        field('header', 'Idempotency-Key', 'k1'),
      ],
      json('{"note":"don\'t","amountMinor":9223372036854775807}'),
    )
    const printed = (language: SampleLanguage) => call && printSample(language, call, 'http://here.test')
    expect(printed('ts')).toContain(
      `cowrie.things.change('THING_ID', "it's", { note: "don't", amountMinor: 9223372036854775807n }, { limit: 7 }, { idempotencyKey: 'k1' })`,
    )
    expect(printed('sh')).toContain(`'http://here.test/things/THING_ID/rows/it'\\''s?limit=7'`)
    expect(printed('sh')).toContain(`"note": "don'\\''t"`)
    for (const language of ['sh', 'ts', 'python', 'go'] as const)
      expect(printed(language)).toContain('9223372036854775807')
  })

  test('stay as they are while the body is not valid JSON', () => {
    expect(sampleOf(operation, [], json('{"note":'))).toBe(null)
  })
})
