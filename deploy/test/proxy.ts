// Runs the proxy of deploy/proxy as a process in front of local addresses.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROXY = fileURLToPath(new URL('../proxy', import.meta.url))
export const CONFIGURATION = join(PROXY, 'haproxy.cfg')
/** Needs openssl too, to create its certificate. */
export const hasProxy =
  spawnSync('haproxy', ['-v']).status === 0 && spawnSync('openssl', ['version']).status === 0

export type RunningProxy = { readonly port: number; readonly plainPort: number; stop(): Promise<void> }
export type ProxyRequest = { method?: string; path: string; headers?: Record<string, string>; body?: string }

/** Variables of the configuration, with a self-signed certificate in the folder. */
export function proxyVariables(
  folder: string,
  gateways: readonly [string, string],
  ports: readonly [number, number],
) {
  const [key, certificate, both] = ['key.pem', 'certificate.pem', 'both.pem'].map((name) =>
    join(folder, name),
  )
  const subject = [
    '-subj',
    '/CN=localhost',
    '-days',
    '2',
    '-nodes',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
  ]
  execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', String(key), '-out', String(certificate)], {
    stdio: 'pipe',
  })
  writeFileSync(String(both), readFileSync(String(certificate), 'utf8') + readFileSync(String(key), 'utf8'))
  return {
    PATH: process.env.PATH,
    PROXY_ADDRESS: `127.0.0.1:${ports[0]}`,
    PROXY_PLAIN_ADDRESS: `127.0.0.1:${ports[1]}`,
    PROXY_CERTIFICATE: String(both),
    PROXY_ERRORS: PROXY,
    PROXY_CONNECTIONS: '100',
    GATEWAY_1: gateways[0],
    GATEWAY_2: gateways[1],
  }
}

/** Retries if another process takes the free port first. */
export async function startProxy(folder: string, gateways: readonly [string, string]): Promise<RunningProxy> {
  let errorOutput = ''
  for (let attempt = 0; attempt < 5; attempt++) {
    const ports = [await freePort(), await freePort()] as const
    const child = spawn('haproxy', ['-db', '-f', CONFIGURATION], {
      env: proxyVariables(folder, gateways, ports),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    errorOutput = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errorOutput = (errorOutput + text).slice(-2_000)
    })
    if (await waitUntilListening(child, ports[0]))
      return { port: ports[0], plainPort: ports[1], stop: () => end(child) }
    await end(child)
  }
  throw new Error(`the proxy did not start: ${errorOutput}`)
}

/** Sends a request through the proxy and accepts its self-signed certificate. */
export function send(
  port: number,
  { method = 'GET', path, headers = {}, body }: ProxyRequest,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port, method, path, headers, rejectUnauthorized: false, agent: false },
      resolve,
    )
    call.on('error', reject)
    call.end(body)
  })
}

export async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of answer.setEncoding('utf8')) text += part
  return text
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

/** Waits until the proxy accepts connections; false if it has exited before. */
async function waitUntilListening(child: ChildProcess, port: number): Promise<boolean> {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) return false
    const answered = await send(port, { path: '/health' }).then(
      (answer) => textOf(answer).then(() => true),
      () => false,
    )
    if (answered) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
