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
import { RELAY_SOURCE } from './relay.ts'

export type ProxyOptions = {
  readonly registries: readonly Registry[]
  /** An existing folder for the socket and the program that uses it. */
  readonly folder: string
  /** The user that may connect; null: our own. */
  readonly user: number | null
  /** Bytes in both directions together. */
  readonly bytesMax: number
  /** Called once when the bytes are used up. */
  readonly onTooMuch: () => void
}

export type RegistryProxy = {
  /** What was refused and why, each once. */
  readonly refused: () => readonly string[]
  /** Registries that were asked for and did not answer. */
  readonly unreachable: () => readonly string[]
  readonly isTooMuch: () => boolean
  /** Whether a host was asked for that is not on the list. */
  readonly hasForeignHost: () => boolean
  close(): Promise<void>
}

const CONNECTIONS_MAX = 128
const CONNECT_MS = 15_000
const IDLE_MS = 60_000
const NOTES_MAX = 20
const HOP_HEADERS = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host)$/i

export async function openRegistryProxy(options: ProxyOptions): Promise<RegistryProxy> {
  const proxy = new ProxyServer(options)
  await proxy.listen()
  return proxy
}

class RefusedError extends Error {}

class ProxyServer implements RegistryProxy {
  readonly #options: ProxyOptions
  readonly #server: Server
  readonly #sockets = new Set<Duplex>()
  readonly #refused = new Set<string>()
  readonly #unreachable = new Set<string>()
  #folder: FileHandle | null = null
  #hasForeignHost = false
  #bytes = 0

  constructor(options: ProxyOptions) {
    this.#options = options
    this.#server = createServer((message, response) => void this.#forward(message, response))
    this.#server.maxConnections = CONNECTIONS_MAX
    this.#server.on('connect', (message, socket, head) => void this.#tunnel(message, socket, head))
    this.#server.on('connection', (socket) => this.#track(socket))
    this.#server.on('clientError', (_, socket) => socket.destroy())
  }

  refused = (): readonly string[] => [...this.#refused]
  unreachable = (): readonly string[] => [...this.#unreachable]
  hasForeignHost = (): boolean => this.#hasForeignHost
  isTooMuch = (): boolean => this.#bytes > this.#options.bytesMax

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
    const wasTooMuch = this.isTooMuch()
    this.#bytes += bytes
    if (wasTooMuch || !this.isTooMuch()) return
    this.#refuse(`more than ${this.#options.bytesMax} bytes`)
    for (const socket of this.#sockets) socket.destroy()
    this.#options.onTooMuch()
  }

  #refuse(what: string): void {
    if (this.#refused.size < NOTES_MAX) this.#refused.add(what)
  }

  async #tunnel(message: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    this.#track(client)
    // The form is host:port, with brackets around an address of version 6.
    const [, host = '', port = ''] = /^\[?([^\]]*?)\]?:(\d{1,5})$/.exec(message.url ?? '') ?? []
    try {
      const upstream = await this.#connect(host, Number(port))
      upstream.on('data', (chunk: Buffer) => this.#count(chunk.length))
      client.on('data', (chunk: Buffer) => this.#count(chunk.length))
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) upstream.write(head)
      upstream.on('close', () => client.destroy())
      client.on('close', () => upstream.destroy())
      upstream.pipe(client)
      client.pipe(upstream)
    } catch (error) {
      client.end(`HTTP/1.1 ${toStatus(error)} Refused\r\ncontent-length: 0\r\n\r\n`)
    }
  }

  async #forward(message: IncomingMessage, response: ServerResponse): Promise<void> {
    message.resume()
    const { method = '', url = '' } = message
    const target = URL.canParse(url) ? new URL(url) : null
    try {
      if (target?.protocol !== 'http:')
        throw this.#refusal(`${method} ${url.slice(0, 100)}`, 'not a proxy request')
      if (method !== 'GET' && method !== 'HEAD')
        throw this.#refusal(`${method} ${target.host}`, 'only GET and HEAD')
      const host = target.hostname.replace(/^\[|\]$/g, '')
      const port = Number(target.port) || 80
      const socket = await this.#connect(host, port)
      await this.#exchange(message, target, socket, response)
    } catch (error) {
      if (!response.headersSent) response.writeHead(toStatus(error), { 'content-type': 'text/plain' })
      response.end(error instanceof RefusedError ? error.message : 'the registry does not answer')
    }
  }

  #exchange(message: IncomingMessage, target: URL, socket: Socket, response: ServerResponse): Promise<void> {
    const headers = Object.fromEntries(
      Object.entries(message.headers).filter(([name]) => !HOP_HEADERS.test(name)),
    )
    return new Promise((resolve, reject) => {
      const call = request(
        {
          method: message.method,
          path: target.pathname + target.search,
          headers: { ...headers, host: target.host, connection: 'close' },
          createConnection: () => socket,
        },
        (answer) => {
          const status = answer.statusCode ?? 502
          if (status >= 500) this.#unreachable.add(`${target.host} answers ${status}`)
          const passed = Object.entries(answer.headers).filter(([name]) => !HOP_HEADERS.test(name))
          response.writeHead(status, Object.fromEntries(passed))
          answer.on('data', (chunk: Buffer) => this.#count(chunk.length))
          answer.on('error', reject)
          answer.on('end', resolve)
          answer.pipe(response)
        },
      )
      response.on('close', () => socket.destroy())
      call.on('error', (error) => {
        this.#unreachable.add(target.host)
        reject(error)
      })
      call.end()
    })
  }

  /** Connects to a listed registry at an address that may be used. */
  async #connect(host: string, port: number): Promise<Socket> {
    const name = host.toLowerCase().replace(/\.$/, '')
    const target = `${name.includes(':') ? `[${name}]` : name}:${port}`
    if (this.isTooMuch()) throw new RefusedError('the bytes are used up')
    if (!this.#options.registries.some((each) => each.host === name && each.port === port)) {
      this.#hasForeignHost = true
      throw this.#refusal(target, 'not in SERVICE_SANDBOX_REGISTRIES')
    }
    const addresses = await this.#resolve(name, target)
    let last: unknown = null
    for (const address of addresses)
      try {
        return await this.#dial(address, port)
      } catch (error) {
        last = error
      }
    this.#unreachable.add(target)
    throw last ?? new Error('the name has no address')
  }

  async #resolve(name: string, target: string): Promise<string[]> {
    if (isIP(name) !== 0) return [name]
    const found = await resolveName(name)
    if (found.length === 0) this.#unreachable.add(target)
    const isListed = (address: string) => this.#options.registries.some(({ host }) => host === address)
    for (const address of found.map((each) => ipaddr.process(each).toString()))
      if (!isPublic(address) && !isListed(address))
        throw this.#refusal(target, 'it is at a private address, which is not listed itself')
    return found
  }

  #dial(address: string, port: number): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: address, port, timeout: CONNECT_MS })
      this.#track(socket)
      socket.once('timeout', () => socket.destroy(new Error('no connection in time')))
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.removeAllListeners('timeout')
        socket.setTimeout(IDLE_MS, () => socket.destroy())
        resolve(socket)
      })
    })
  }

  #refusal(what: string, why: string): RefusedError {
    this.#refuse(`${what}: ${why}`)
    return new RefusedError(`${what}: ${why}`)
  }
}

const toStatus = (error: unknown): number => (error instanceof RefusedError ? 403 : 502)

const resolveName = (name: string): Promise<string[]> =>
  new Promise((resolve) => {
    lookup(name, { all: true }, (error, found: LookupAddress[]) =>
      resolve(error ? [] : found.map(({ address }) => address)),
    )
  })
