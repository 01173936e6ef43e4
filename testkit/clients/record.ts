// Records the requests of coding clients as fixtures: a proxy between the client and the service.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, request as forward, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const FIXTURES = join(import.meta.dirname, '../gateway/client-requests')
const TEXT_MAX = 160
/** Headers of the connection, and those that differ between runs. */
const LEFT_OUT = ['host', 'connection', 'content-length', 'transfer-encoding', 'traceparent']

/** Values that differ between runs, and paths of real machines. */
const REPLACED: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '00000000-0000-7000-8000-000000000000'],
  [/\b[0-9a-f]{64}\b/g, '0'.repeat(64)],
  [/\bses_\w{26}\b/g, 'ses_1'],
  [/\/(?:home|root)\//g, '/people/'],
]

export type RecordedRequest = {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}
export type Recorder = {
  readonly address: string
  /** Stores the last request that sent the results of tools. */
  save(client: string, replaced: readonly [text: string, by: string][]): void
  close(): Promise<void>
}

export async function startRecorder(target: string): Promise<Recorder> {
  const requests: RecordedRequest[] = []
  const server = createServer(async (incoming, response) => {
    const bytes = Buffer.concat(await Array.fromAsync(incoming))
    if (bytes.length > 0) requests.push(recordOf(incoming, bytes))
    const outgoing = forward(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers: incoming.headers },
      (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(response)
      },
    )
    outgoing.once('error', () => response.destroy())
    outgoing.end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    save(client, replaced) {
      const last = requests.at(-1)
      if (!last) throw new Error(`${client} sent no request`)
      let text = JSON.stringify({ ...last, body: shortened(last.body) }, null, 2)
      for (const [from, by] of replaced) text = text.replaceAll(from, by)
      for (const [pattern, by] of REPLACED) text = text.replace(pattern, by)
      mkdirSync(FIXTURES, { recursive: true })
      writeFileSync(join(FIXTURES, `${client}.json`), `${text}\n`)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const recordOf = (incoming: IncomingMessage, bytes: Buffer): RecordedRequest => ({
  method: incoming.method ?? '',
  path: incoming.url ?? '',
  headers: Object.fromEntries(
    Object.entries(incoming.headers)
      .filter(([name]) => !LEFT_OUT.includes(name))
      .map(([name, value]) => [name, String(value)]),
  ),
  body: JSON.parse(bytes.toString()) as Record<string, unknown>,
})

/** Long prompts and descriptions end after their first words. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}…` : value
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each)]))
}
