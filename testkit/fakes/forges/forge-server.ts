// The HTTP server of a fake code host, on localhost, with one handler.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { packFiles } from '@cowrie/server/src/sandbox/sandbox.ts'
import { structuredPatch } from 'diff'

export type HostRequest = {
  readonly method: string
  /** Each part of the path, decoded. */
  readonly parts: readonly string[]
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
}
/** Objects are sent as JSON, text and bytes unchanged. */
export type HostReply = {
  readonly status: number
  readonly body: object | string | Buffer
  readonly headers?: Record<string, string>
}
export type Files = Readonly<Record<string, string>>

export type ForgeServer = {
  readonly url: string
  /** Every request, oldest first. */
  readonly requests: string[]
  /** Returns a reply that replaces the normal one, or null. */
  override: ((method: string, path: string) => HostReply | null) | null
  close(): Promise<void>
}

export async function startForgeServer(handle: (request: HostRequest) => HostReply): Promise<ForgeServer> {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const method = request.method ?? 'GET'
    const raw = await text(request)
    const parts = url.pathname.split('/').slice(1).map(decodeURIComponent)
    const path = `/${parts.join('/')}`
    fake.requests.push(`${method} ${path}`)
    const body = raw === '' ? {} : (JSON.parse(raw) as Record<string, unknown>)
    const received = { method, parts, query: url.searchParams, headers: request.headers, body }
    const reply = fake.override?.(method, path) ?? handle(received)
    const isRaw = typeof reply.body === 'string' || Buffer.isBuffer(reply.body)
    const type = isRaw ? 'application/octet-stream' : 'application/json'
    response.writeHead(reply.status, { 'content-type': type, ...reply.headers })
    response.end(isRaw ? (reply.body as string | Buffer) : JSON.stringify(reply.body))
  }
  const server = createServer((request, response) => {
    respond(request, response).catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const fake: ForgeServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    override: null,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
  return fake
}

export const reply = (body: HostReply['body'], status = 200): HostReply => ({ status, body })

let count = 0
export const nextSha = (): string => (++count).toString(16).padStart(40, 'e')

export function archiveOf(files: Files): Buffer {
  const named = Object.entries(files).map(([path, content]) => [`pay-c0ffee/${path}`, content] as const)
  const packed = packFiles(new Map(named))
  if ('refused' in packed) throw new Error(packed.refused)
  return gzipSync(packed.archive)
}

export type ChangedPath = {
  readonly path: string
  readonly older: string | undefined
  readonly newer: string | undefined
  /** From the first hunk on. */
  readonly patch: string
}

export function changesBetween(before: Files, after: Files): ChangedPath[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return paths
    .filter((path) => before[path] !== after[path])
    .map((path) => {
      const [older, newer] = [before[path], after[path]]
      const { hunks } = structuredPatch('a', 'b', older ?? '', newer ?? '', '', '', { context: 3 })
      const patch = hunks
        .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
          [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines, ''].join('\n'),
        )
        .join('')
      return { path, older, newer, patch }
    })
}

/** The lines of a patch by their new number: `+` for an added line, the old number for an unchanged one. */
export function linesOf(patch: string): Map<number, '+' | number> {
  const lines = new Map<number, '+' | number>()
  let [older, newer] = [0, 0]
  for (const line of patch.split('\n')) {
    const head = /^@@ -(\d+),\d+ \+(\d+)/.exec(line)
    if (head) [older, newer] = [Number(head[1]), Number(head[2])]
    else if (line.startsWith('+')) lines.set(newer++, '+')
    else if (line.startsWith('-')) older++
    else if (line.startsWith(' ')) lines.set(newer++, older++)
  }
  return lines
}

/** The diff of two trees as git writes it. */
export const gitDiff = (before: Files, after: Files): string =>
  changesBetween(before, after)
    .map(({ path, older, newer, patch }) => {
      const isNew = older === undefined
      const mode = isNew ? 'new file mode 100644\n' : newer === undefined ? 'deleted file mode 100644\n' : ''
      const from = isNew ? '/dev/null' : `a/${path}`
      const to = newer === undefined ? '/dev/null' : `b/${path}`
      return `diff --git a/${path} b/${path}\n${mode}index 000..111 100644\n--- ${from}\n+++ ${to}\n${patch}`
    })
    .join('')
