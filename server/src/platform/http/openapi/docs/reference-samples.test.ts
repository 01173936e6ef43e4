// Every sample of the reference is compiled and sends the documented request. One process per language runs them against a
// recorder on loopback.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createProgramFolder, hasGo } from '@cowrie/testkit/harness/programs.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { resolveComponents } from '../components.ts'
import { type Document, type ListedOperation, operationsByTag } from './document.ts'
import { printSample, type SampleLanguage } from './print-sample.ts'
import { sampleCall } from './samples.ts'

const ROOT = fileURLToPath(new URL('../../../../../../', import.meta.url))
const document = resolveComponents(JSON.parse(readFileSync(`${ROOT}openapi.json`, 'utf8')) as Document)
const operations = operationsByTag(document).flatMap(({ operations: listed }) => listed)
const SDK_IMPORT = `import { createClient } from '@cowrie/sdk'`
const CURL_SAMPLES = rounds(25, operations.length)

const TYPESCRIPT_OPTIONS = `${ROOT}tsconfig.base.json`
const TYPES = `${ROOT}node_modules/@types`

const SECRETS = {
  COWRIE_API_KEY: 'csk_key',
  COWRIE_SESSION: 'session',
  METRICS_TOKEN: 'metrics',
  INTERNAL_SECRET: 'internal',
}

type Recorded = { method: string; address: string; headers: IncomingHttpHeaders; body: string }
/** By the number of the operation, which is the first part of the address. */
const recorded = new Map<number, Recorded[]>()
const recorder = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { method = '', url = '', headers } = request
  const [, index = '', address = ''] = /^\/(\d+)(.*)$/.exec(url) ?? []
  const body = Buffer.concat(chunks).toString('utf8')
  recorded.set(Number(index), [...(recorded.get(Number(index)) ?? []), { method, address, headers, body }])
  const streams = headers.accept === 'text/event-stream'
  response.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' })
  response.end(streams ? 'data: {}\n\n' : '{}')
})

const { write, run, remove } = createProgramFolder()
beforeAll(() => new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve)))
beforeEach(() => recorded.clear())
afterAll(() => {
  recorder.closeAllConnections()
  recorder.close()
  remove()
})

const sampleOf = (language: SampleLanguage, listed: ListedOperation): string => {
  const { port } = recorder.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}/${operations.indexOf(listed)}`
  return printSample(language, sampleCall(listed, document.components.schemas), baseUrl)
}

/** The credential as the document describes it, the first that a program can have. */
function expectedSecret({ operation: { security = [] } }: ListedOperation): Record<string, string> {
  const schemes = security.flatMap((each) => Object.keys(each))
  if (schemes.includes('apiKey')) return { authorization: 'Bearer csk_key' }
  if (schemes.includes('metricsToken')) return { authorization: 'Bearer metrics' }
  if (schemes.includes('internalSecret')) return { 'x-internal-secret': 'internal' }
  return schemes.includes('session') ? { cookie: 'service_session=session' } : {}
}

/** Differences between the recorded requests of one operation and the document. */
function faultsOf(listed: ListedOperation): string[] {
  const { method, path, operation } = listed
  const { parameters = [], requestBody } = operation
  const requests = recorded.get(operations.indexOf(listed)) ?? []
  const [request] = requests
  if (!request || requests.length !== 1) return [`${operation.operationId}: ${requests.length} requests`]
  const faults: string[] = []
  const compare = (what: string, found: unknown, expected: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(expected))
      faults.push(
        `${operation.operationId}: ${what} ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`,
      )
  }
  const [address = '', query = ''] = request.address.split('?')
  const pattern = new RegExp(
    `^${path.replace(/[.:]/g, '\\$&').replace(/\{(\w+)\}/g, (_, name: string) => name.replace(/[A-Z]/g, '_$&').toUpperCase())}$`,
  )
  compare('method', request.method, method)
  if (!pattern.test(address)) faults.push(`${operation.operationId}: address ${address}`)
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  compare(
    'query',
    [...new URLSearchParams(query).keys()],
    required.map(({ name }) => name),
  )
  const secret = expectedSecret(listed)
  for (const name of ['authorization', 'cookie', 'x-internal-secret'])
    compare(name, request.headers[name], secret[name])
  const key = request.headers['idempotency-key']
  // The SDK makes a key itself where the operation accepts one.
  const isMadeBySdk = operation['x-idempotency'] !== undefined && key?.toString().startsWith('auto_')
  if (operation['x-idempotency'] === 'required') compare('idempotency key', key, 'a-new-key-per-intent')
  else if (!isMadeBySdk) compare('idempotency key', key, undefined)
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const hasBody = media?.example !== undefined
  if (hasBody) compare('content type', request.headers['content-type']?.split(';')[0], type)
  const isForm = type === 'application/x-www-form-urlencoded'
  const body = isForm ? Object.fromEntries(new URLSearchParams(request.body)) : parsed(request.body)
  compare('body', body, media?.example)
  return faults
}

const parsed = (body: string): unknown => (body === '' ? undefined : JSON.parse(body))

describe('the samples of the reference', () => {
  test('send the documented requests in TypeScript', async () => {
    const blocks = operations.map((listed) => `{\n${sampleOf('ts', listed).replace(SDK_IMPORT, '')}\n}`)
    write('all.ts', [SDK_IMPORT, ...blocks].join('\n'))
    await run(SECRETS, process.execPath, '--disable-warning=ExperimentalWarning', 'all.ts')
    expect(operations.flatMap(faultsOf)).toEqual([])
  })

  test('send the documented requests in Python', async () => {
    for (const [at, listed] of operations.entries()) write(`s${at}.py`, sampleOf('python', listed))
    write('all.py', `import runpy\nfor at in range(${operations.length}):\n    runpy.run_path(f"s{at}.py")`)
    await run(SECRETS, 'python3', '-B', 'all.py')
    expect(operations.flatMap(faultsOf)).toEqual([])
  })

  test('compile and send the documented requests in Go', async () => {
    if (!hasGo()) return
    for (const [at, listed] of operations.entries())
      write(`program/s${at}.go`, sampleOf('go', listed).replace('func main()', `func sample${at}()`))
    const calls = operations.map((_, at) => `\tsample${at}()`).join('\n')
    write('program/all.go', `package main\n\nfunc main() {\n${calls}\n}\n`)
    write('program/go.mod', 'module samples\n')
    await run(SECRETS, 'bash', '-c', 'cd program && go run .')
    expect(operations.flatMap(faultsOf)).toEqual([])
  })

  test('send the documented requests with curl', async () => {
    const step = Math.ceil(operations.length / CURL_SAMPLES)
    const chosen = operations.filter((_, at) => at % step === 0)
    write('all.sh', `set -eu\n${chosen.map((listed) => `${sampleOf('sh', listed)} -s`).join('\n')}`)
    await run(SECRETS, 'bash', 'all.sh')
    expect(chosen.flatMap(faultsOf)).toEqual([])
  })

  test('have the types of the SDK', async () => {
    for (const [at, listed] of operations.entries())
      write(`typed/s${at}.ts`, `${sampleOf('ts', listed)}\nexport {}\n`)
    write('typed/package.json', '{"type":"module"}')
    write(
      'typed/tsconfig.json',
      JSON.stringify({
        extends: TYPESCRIPT_OPTIONS,
        compilerOptions: { typeRoots: [TYPES] },
        include: ['*.ts'],
      }),
    )
    await run(SECRETS, 'node_modules/.bin/tsc', '-p', 'typed')
  })
})
