import { readFileSync } from 'node:fs'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS } from './kernel/errors.ts'
import { printAll, ROOT } from './print.ts'

const printed = printAll()
const textOf = (path: string): string => printed.find((file) => file.path === path)?.text ?? ''

describe('the committed generated files match the source tables', () => {
  test.for(printed)('$path is what `npm run print` prints', ({ path, text }) => {
    expect(readFileSync(new URL(path, ROOT), 'utf8')).toBe(text)
  })
})

describe('the running service', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  test('serves the printed document', async () => {
    const { status, text } = await server.call('GET', '/openapi.json')
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual(JSON.parse(textOf('openapi.json')))
  })
})

test('docs/reference/errors.md lists every error once, by ascending status', () => {
  const rows = [...textOf('docs/reference/errors.md').matchAll(/^\| (\d{3}) \| `(\w+)` \| (.+?) \|/gm)]
  expect(rows.map(([, , code]) => code).sort()).toEqual(Object.keys(ERRORS).sort())
  const statuses = rows.map(([, status]) => Number(status))
  expect(statuses).toEqual([...statuses].sort((a, b) => a - b))
})

type Operation = {
  readonly operationId: string
  readonly responses: Readonly<Record<string, unknown>>
  readonly 'x-streams'?: 'accept'
}

/** An operation whose stream is chosen by `Accept` has a function for each form. */
const namesOf = ({ operationId, 'x-streams': streams }: Operation): string[] =>
  streams === 'accept' ? [operationId, `${operationId}Stream`] : [operationId]

test('every operation with a 2xx response is in the SDK', () => {
  const { paths } = JSON.parse(textOf('openapi.json')) as {
    paths: Record<string, Record<string, Operation>>
  }
  // MCP is another protocol with separate clients.
  const { '/mcp': _, ...called } = paths
  const answering = Object.values(called)
    .flatMap((methods) => Object.values(methods))
    .filter(({ responses }) => Object.keys(responses).some((status) => status.startsWith('2')))
  const table = ['generated', 'generated-staff']
    .map((name) => textOf(`sdk/src/${name}.ts`).split('export const operations')[1])
    .join('')
  const names = [...table.matchAll(/^ {2}'([\w.]+)': \{/gm)].map(([, name]) => name)
  expect(names.toSorted()).toEqual(answering.flatMap(namesOf).toSorted())
  expect(names.length).toBeGreaterThan(10)
})
