// A fake Docker engine that runs nothing and returns scripted results for each command.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { PROBE } from '@cowrie/server/src/sandbox/self-test.ts'

export type FakeContainerRun = {
  readonly output?: string
  readonly exitCode?: number
  readonly notes?: string
  readonly isOutOfMemory?: boolean
}

export type FakeContainer = {
  readonly id: string
  readonly config: Record<string, unknown>
  archive: Buffer
  exitCode: number | null
  socket: Duplex | null
  readonly waiting: ((exitCode: number) => void)[]
}

export type FakeDocker = {
  /** For DOCKER_HOST. */
  readonly host: string
  isBroken: boolean
  readonly answers: Map<string, FakeContainerRun>
  /** Existing containers. */
  readonly containers: Map<string, FakeContainer>
  /** All containers ever created. */
  readonly created: FakeContainer[]
  readonly calls: string[]
  /** Keeps this command running until it is released or killed. */
  hold(command: string): void
  release(command: string): void
  running(): number
  maxConcurrent(): number
  close(): Promise<void>
}

type EngineReply = [status: number, value?: unknown]

const SOUND = [
  'sound',
  ...['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((name) => `${name}:\t0000000000000000`),
  'NoNewPrivs:\t1',
  'Seccomp:\t2',
  'interface lo',
]

export async function startFakeDocker({ image }: { image: string }): Promise<FakeDocker> {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-docker-'))
  const socketPath = join(folder, 'docker.sock')
  const engine = new FakeDockerEngine(image, `unix://${socketPath}`, async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true })
  })
  const server = createServer((request, response) => void engine.answer(request, response))
  server.on('upgrade', (request, socket) => engine.attach(request, socket))
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  return engine
}

class FakeDockerEngine implements FakeDocker {
  readonly host: string
  readonly close: () => Promise<void>
  isBroken = false
  readonly answers = new Map<string, FakeContainerRun>([[PROBE, { output: `${SOUND.join('\n')}\n` }]])
  readonly containers = new Map<string, FakeContainer>()
  readonly created: FakeContainer[] = []
  readonly calls: string[] = []
  readonly #image: string
  readonly #held = new Set<string>()
  #mostAtOnce = 0

  constructor(image: string, host: string, close: () => Promise<void>) {
    this.#image = image
    this.host = host
    this.close = close
  }

  hold(command: string): void {
    this.#held.add(command)
  }

  release(command: string): void {
    this.#held.delete(command)
    for (const container of this.containers.values())
      if (readCommand(container) === command && container.socket !== null) this.#finish(container)
  }

  running(): number {
    return [...this.containers.values()].filter(
      ({ socket, exitCode }) => socket !== null && exitCode === null,
    ).length
  }

  maxConcurrent(): number {
    return this.#mostAtOnce
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString('utf8')
    const path = new URL(request.url ?? '/', 'http://engine').pathname.replace(/^\/v[\d.]+/, '')
    this.calls.push(`${request.method} ${path}`)
    const [status, value] = this.isBroken ? [500, {}] : await this.#reply(request.method ?? '', path, body)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(value === undefined ? undefined : JSON.stringify(value))
  }

  attach(request: IncomingMessage, socket: Duplex): void {
    const container = this.containers.get(/containers\/(\w+)\/attach/.exec(request.url ?? '')?.[1] ?? '')
    socket.on('error', () => socket.destroy())
    if (container === undefined) {
      socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')
      return
    }
    socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
    container.socket = socket
    this.#mostAtOnce = Math.max(this.#mostAtOnce, this.running())
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('end', () => {
      container.archive = Buffer.concat(chunks)
      if (this.#held.has(readCommand(container))) socket.write(frame(2, 'ready\n'))
      else this.#finish(container)
    })
  }

  #create(config: Record<string, unknown>): FakeContainer {
    const id = `c${this.created.length}`
    const container = { id, config, archive: Buffer.alloc(0), exitCode: null, socket: null, waiting: [] }
    this.containers.set(id, container)
    this.created.push(container)
    return container
  }

  async #reply(method: string, path: string, body: string): Promise<EngineReply> {
    const [, kind, id = '', verb] = path.split('/')
    if (kind === '_ping') return [200, 'OK']
    if (kind === 'images') return [decodeURIComponent(id) === this.#image ? 200 : 404, {}]
    if (id === 'json') return [200, [...this.containers.values()].map(toListedContainer)]
    if (id === 'create') return [201, { Id: this.#create(JSON.parse(body)).id }]
    const container = this.containers.get(id)
    if (container === undefined) return [404, { message: 'no such container' }]
    return this.#act(container, method === 'DELETE' ? 'remove' : (verb ?? ''))
  }

  async #act(container: FakeContainer, verb: string): Promise<EngineReply> {
    switch (verb) {
      case 'start':
        return [204]
      case 'wait':
        return [200, { StatusCode: await this.#exitOf(container) }]
      case 'kill':
        this.#end(container, 137)
        return [204]
      case 'remove':
        this.#end(container, 137)
        this.containers.delete(container.id)
        return [204]
      default:
        return [200, { State: { OOMKilled: this.#answerFor(container).isOutOfMemory === true } }]
    }
  }

  #exitOf(container: FakeContainer): number | Promise<number> {
    return container.exitCode ?? new Promise((resolve) => container.waiting.push(resolve))
  }

  #answerFor = (container: FakeContainer): FakeContainerRun => this.answers.get(readCommand(container)) ?? {}

  #finish(container: FakeContainer): void {
    const { output = '', notes = 'ready\nfree 100\nfree 100\n', exitCode = 0 } = this.#answerFor(container)
    container.socket?.write(Buffer.concat([frame(2, notes), frame(1, output)]))
    this.#end(container, exitCode)
  }

  #end(container: FakeContainer, exitCode: number): void {
    if (container.exitCode !== null) return
    container.exitCode = exitCode
    container.socket?.end()
    for (const resolve of container.waiting) resolve(exitCode)
  }
}

const readCommand = ({ config }: FakeContainer): string => (config.Cmd as string[] | undefined)?.[3] ?? ''

const toListedContainer = ({ id, config }: FakeContainer): object => ({ Id: id, Labels: config.Labels })

function frame(stream: number, text: string): Buffer {
  const body = Buffer.from(text)
  const header = Buffer.alloc(8)
  header.writeUInt8(stream)
  header.writeUInt32BE(body.length, 4)
  return Buffer.concat([header, body])
}
