import { describe, expect, test } from 'vitest'
import { buildCall, codeSample } from './call.ts'

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
      '{}',
    )
    expect(call).toEqual({
      method: 'PUT',
      address: '/orgs/org_1/flags/a%20b?deep=true',
      headers: { 'content-type': 'application/json', 'Idempotency-Key': 'k1' },
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

describe('as code', () => {
  const SECRET = { origin: 'http://here.test', open: false }
  const call = buildCall(
    { method: 'POST', path: '/agent/run' },
    [field('header', 'Idempotency-Key', "it's")],
    '{"prompt":"don\'t"}',
  )

  test('the curl command quotes shell characters', () => {
    expect(codeSample('curl', call, SECRET)).toBe(
      [
        `curl -X POST 'http://here.test/agent/run' \\`,
        `  -H "Authorization: Bearer $COWRIE_API_KEY" \\`,
        `  -H 'content-type: application/json' \\`,
        `  -H 'Idempotency-Key: it'\\''s' \\`,
        `  --data '{"prompt":"don'\\''t"}'`,
      ].join('\n'),
    )
  })

  test('a public operation sends no token', () => {
    expect(
      codeSample('curl', buildCall({ method: 'GET', path: '/health' }, [], null), {
        origin: 'http://here.test',
        open: true,
      }),
    ).toBe("curl -X GET 'http://here.test/health'")
  })

  test('JavaScript and Python have the same URL and body', () => {
    for (const language of ['JavaScript', 'Python'] as const) {
      const program = codeSample(language, call, SECRET)
      expect(program).toContain('"http://here.test/agent/run"')
      expect(program).toContain(JSON.stringify(call.body))
    }
  })
})
