// The only way out of a sandbox that installs dependencies: an HTTP proxy on a socket that is mounted there. It
// reaches listed registries, resolves their names itself, and bounds bytes, connections and time.
import { type LookupAddress, lookup } from 'node:dns'
import { chmod, chown, type FileHandle, mkdir, open, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { isPublic } from '../../platform/egress/public-address.ts'
import type { Registry } from '../../platform/environment/registries.ts'
import { ProxyRecord, type ProxyRecordOptions } from './proxy-record.ts'
import { RELAY_SOURCE } from './relay.ts'

export type ProxyOptions = ProxyRecordOptions & {
  readonly registries: readonly Registry[]
  /** An existing folder for the socket and the program that uses it. */
  readonly folder: string
  /** The user that may connect; null: our own. */
  readonly user: number | null
  readonly connectMs?: number
  readonly silenceMs?: number
}

export type RegistryProxy = { readonly record: ProxyRecord; close(): Promise<void> }

/** Some tools open one connection per package. */
const CONNECTIONS_MAX = 512
const CONNECT_MS = 15_000
const SILENCE_MS = 30_000
/** Also those that promise a body: requests have none. */
const DROPPED_HEADERS =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|expect)$/i
const DROPPED_OF_ANSWERS = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

export async function openRegistryProxy(options: ProxyOptions): Promise<RegistryProxy> {
  const proxy = new ProxyServer(options)
  await proxy.listen()
  return proxy
}

const PRIVATE = 'it is at a private address, which is not listed itself'

class RefusedError extends Error {}

class ProxyServer implements RegistryProxy {
  readonly record: ProxyRecord
  readonly #options: ProxyOptions
  readonly #server: Server
  readonly #sockets = new Set<Duplex>()
  #folder: FileHandle | null = null

  constructor(options: ProxyOptions) {
    this.#options = options
    this.record = new ProxyRecord(options)
    this.#server = createServer((message, response) => void this.#forward(message, response))
    this.#server.maxConnections = CONNECTIONS_MAX
    this.#server.on('connect', (message, socket, head) => void this.#tunnel(message, socket, head))
    this.#server.on('connection', (socket) => this.#track(socket))
    this.#server.on('clientError', (_, socket) => socket.destroy())
  }

  async listen(): Promise<void> {
    const { folder, user } = this.#options
    await mkdir(folder, { recursive: true, mode: 0o755 })
    await writeFile(join(folder, 'relay.cjs'), RELAY_SOURCE, { mode: 0o644 })
    // The path of a socket has at most 107 bytes; that of our folder may be longer. Closing the server removes the
    // socket by the same path, so the folder stays open until then.
    this.#folder = await open(folder, 'r')
    const path = `/proc/self/fd/${this.#folder.fd}/proxy.sock`
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(path, resolve)
    })
    const socket = join(folder, 'proxy.sock')
    await chmod(socket, 0o600)
    if (user !== null) await chown(socket, user, user)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
    await this.#folder?.close()
  }

  #track(socket: Duplex): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  }

  #count(bytes: number): void {
    if (this.record.count(bytes)) return
    for (const socket of this.#sockets) socket.destroy()
  }

  async #tunnel(message: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    this.#track(client)
    // The form is host:port, with brackets around an address of version 6.
    const [, host = '', port = ''] = /^\[?([^\]]*?)\]?:(\d{1,5})$/.exec(message.url ?? '') ?? []
    try {
      const { socket: upstream, target } = await this.#connect(host, Number(port))
      this.#watchSilence(upstream, client, target)
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) upstream.write(head)
      joinStreams(upstream, client)
    } catch {
      // Without an answer: npm waits forever after any other status than 200.
      client.destroy()
    }
  }

  /** A registry that does not answer what it was sent fails. One that was not asked may be silent. */
  #watchSilence(upstream: Socket, client: Duplex, target: string): void {
    let isWaiting = true
    upstream.on('data', (chunk: Buffer) => {
      isWaiting = false
      this.record.succeed(target)
      this.#count(chunk.length)
    })
    client.on('data', (chunk: Buffer) => {
      isWaiting = true
      this.#count(chunk.length)
    })
    upstream.on('timeout', () => {
      if (isWaiting) this.record.fail(target, 'no answer')
      upstream.destroy()
    })
  }

  async #forward(message: IncomingMessage, response: ServerResponse): Promise<void> {
    message.resume()
    const { method = '', url = '' } = message
    const address = URL.canParse(url) ? new URL(url) : null
    try {
      if (address?.protocol !== 'http:')
        throw this.#refusal(`${method} ${url.slice(0, 100)}`, 'not a proxy request')
      if (method !== 'GET' && method !== 'HEAD')
        throw this.#refusal(`${method} ${address.host}`, 'only GET and HEAD')
      const host = address.hostname.replace(/^\[|\]$/g, '')
      const { socket, target } = await this.#connect(host, Number(address.port) || 80)
      await this.#exchange({ message, address, socket, target }, response)
    } catch (error) {
      const isRefused = error instanceof RefusedError
      if (response.headersSent) {
        // The end of a part must not look like the end of the whole.
        response.destroy()
        return
      }
      response.writeHead(isRefused ? 403 : 502, { 'content-type': 'text/plain', connection: 'close' })
      response.end(isRefused ? error.message : 'the registry does not answer')
    }
  }

  #exchange({ message, address, socket, target }: ForwardedRequest, response: ServerResponse): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        if (!response.closed) this.record.fail(target, 'no answer')
        reject(error)
      }
      socket.on('timeout', () => socket.destroy(new Error('silence')))
      const call = request(
        {
          method: message.method,
          path: address.pathname + address.search,
          headers: { ...without(message.headers, DROPPED_HEADERS), host: address.host, connection: 'close' },
          createConnection: () => socket,
        },
        (answer) => {
          const status = answer.statusCode ?? 502
          if (status >= 500) this.record.fail(target, `it answers ${status}`)
          else this.record.succeed(target)
          response.writeHead(status, without(answer.headers, DROPPED_OF_ANSWERS))
          answer.on('data', (chunk: Buffer) => this.#count(chunk.length))
          answer.on('error', fail)
          answer.on('end', resolve)
          answer.pipe(response)
        },
      )
      response.on('close', () => socket.destroy())
      call.on('error', fail)
      call.end()
    })
  }

  /** Connects to a listed registry at an address that may be used. */
  async #connect(host: string, port: number): Promise<{ socket: Socket; target: string }> {
    const name = host.toLowerCase().replace(/\.$/, '')
    const target = `${name.includes(':') ? `[${name}]` : name}:${port}`
    if (this.record.isTooMuch()) throw new RefusedError('the bytes are used up')
    if (!this.#options.registries.some((each) => each.host === name && each.port === port))
      throw this.#refusal(target, 'not in SERVICE_SANDBOX_REGISTRIES', true)
    for (const address of await this.#resolve(name, target)) {
      const socket = await this.#dial(address, port).catch(() => null)
      if (socket !== null) return { socket, target }
    }
    this.record.fail(target, 'no connection')
    throw new Error('no connection')
  }

  async #resolve(name: string, target: string): Promise<string[]> {
    if (isIP(name) !== 0) return [name]
    const found = await resolveName(name)
    const isListed = (address: string) => this.#options.registries.some(({ host }) => host === address)
    for (const address of found.map((each) => ipaddr.process(each).toString()))
      if (!isPublic(address) && !isListed(address)) {
        this.record.fail(target, PRIVATE)
        throw this.#refusal(target, PRIVATE)
      }
    return found
  }

  #dial(address: string, port: number): Promise<Socket> {
    const { connectMs = CONNECT_MS, silenceMs = SILENCE_MS } = this.#options
    return new Promise((resolve, reject) => {
      const socket = connect({ host: address, port, timeout: connectMs })
      this.#track(socket)
      const expire = () => socket.destroy(new Error('no connection in time'))
      socket.once('timeout', expire)
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.off('timeout', expire)
        socket.setTimeout(silenceMs)
        resolve(socket)
      })
    })
  }

  #refusal(what: string, why: string, isForeign = false): RefusedError {
    this.record.refuse(what, why, isForeign)
    return new RefusedError(`${what}: ${why}`)
  }
}

type ForwardedRequest = {
  readonly message: IncomingMessage
  readonly address: URL
  readonly socket: Socket
  readonly target: string
}

const without = (headers: NodeJS.Dict<string | string[]>, dropped: RegExp) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.test(name)))

/** Data that one side sent before it closed still reaches the other. */
function joinStreams(upstream: Socket, client: Duplex): void {
  for (const [from, to] of [
    [upstream, client],
    [client, upstream],
  ] as const) {
    from.pipe(to)
    from.on('close', () => to.end(() => to.destroy()))
  }
}

const resolveName = (name: string): Promise<string[]> =>
  new Promise((resolve) => {
    lookup(name, { all: true }, (error, found: LookupAddress[]) =>
      resolve(error ? [] : found.map(({ address }) => address)),
    )
  })
