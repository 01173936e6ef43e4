// A minimal client of the Docker Engine API over its socket.
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'

export type EngineAddress = { readonly socketPath: string } | { readonly host: string; readonly port: number }

export type DockerEngine = {
  /** Returns 4xx and 5xx responses; throws only on connection errors. */
  call<T = unknown>(
    method: string,
    path: string,
    options?: EngineCallOptions,
  ): Promise<{ status: number; body: T }>
  /** Connects to the container's standard streams. */
  attach(id: string): Promise<Socket>
}

export type EngineCallOptions = { readonly body?: unknown; readonly timeoutMs?: number }

const VERSION = '/v1.41'
const TIMEOUT_MS = 10_000
const BODY_BYTES_MAX = 4 << 20
const DEFAULT_SOCKET = '/var/run/docker.sock'

/** The address of the engine. Null for a remote host: the connection would be neither private nor authenticated. */
export function engineAddress(dockerHost: string | null): EngineAddress | null {
  const host = dockerHost ?? `unix://${DEFAULT_SOCKET}`
  const socketPath = /^unix:\/\/(\/.+)$/.exec(host)?.[1]
  if (socketPath !== undefined) return { socketPath }
  const [, name, port] =
    /^(?:tcp|http):\/\/(127(?:\.\d{1,3}){3}|localhost|\[::1\]):(\d{1,5})\/?$/.exec(host) ?? []
  return name === undefined ? null : { host: name.replace(/^\[|\]$/g, ''), port: Number(port) }
}

export function openEngine(address: EngineAddress): DockerEngine {
  return {
    call: (method, path, options = {}) => callEngine(address, method, path, options),
    attach: (id) => attach(address, id),
  }
}

function callEngine<T>(
  address: EngineAddress,
  method: string,
  path: string,
  { body, timeoutMs = TIMEOUT_MS }: EngineCallOptions,
): Promise<{ status: number; body: T }> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    const signal = AbortSignal.timeout(timeoutMs)
    const call = request(
      { ...address, method, path: VERSION + path, headers, agent: false, signal },
      (answer) => {
        readBody(answer).then((read) => resolve({ status: answer.statusCode ?? 0, body: read as T }), reject)
      },
    )
    call.on('error', reject)
    call.end(text)
  })
}

async function readBody(answer: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) throw new Error('the engine says too much')
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  return answer.headers['content-type']?.includes('json') && text !== '' ? JSON.parse(text) : text
}

function attach(address: EngineAddress, id: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const path = `${VERSION}/containers/${id}/attach?stream=1&stdin=1&stdout=1&stderr=1`
    const headers = { connection: 'Upgrade', upgrade: 'tcp', 'content-length': 0 }
    const call = request({ ...address, method: 'POST', path, headers, agent: false, timeout: TIMEOUT_MS })
    call.once('upgrade', (_answer, socket, head) => {
      socket.setTimeout(0)
      if (head.length > 0) socket.unshift(head)
      resolve(socket as Socket)
    })
    call.once('response', (answer) => {
      answer.resume()
      reject(new Error(`the engine does not attach: ${answer.statusCode}`))
    })
    call.once('timeout', () => call.destroy(new Error('the engine does not attach in time')))
    call.once('error', reject)
    call.end()
  })
}
