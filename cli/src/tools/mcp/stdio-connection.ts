// An MCP server as a process: one message per line on its input and output.
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { toPlainText } from '@cowrie/workspace/text/plain-text.ts'
import { linesOf } from '../../mcp/lines.ts'
import { isRecord, type Message } from '../../mcp/message.ts'
import { closedDescriptors, killAtExit, killGroup } from '../commands/run-process.ts'
import type { Launch } from '../commands/sandbox/sandbox.ts'
import {
  answerTo,
  type CallLimits,
  type McpConnection,
  McpError,
  MESSAGE_BYTES_MAX,
  resultIn,
} from './connection.ts'

type Pending = { readonly resolve: (result: Message) => void; readonly reject: (error: Error) => void }

const ERRORS_KEPT = 2_000
const END_MS = 1_000

export function openStdio(launch: Launch, rootUrl: string): McpConnection {
  const child = spawn(launch.program, launch.args, {
    cwd: launch.cwd,
    env: launch.env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', ...closedDescriptors()],
  })
  const pending = new Map<number, Pending>()
  let lastId = 0
  let errors = ''
  let ending: string | null = null
  const kill = () => killGroup(child, true)
  const forget = killAtExit(kill)

  const end = (reason: string): void => {
    if (ending !== null) return
    const said = toPlainText(errors).trim().split('\n').slice(-5).join(' ').slice(-500)
    ending = `${reason}${said === '' ? '' : `; it said: ${said}`}`
    forget()
    kill()
    for (const { reject } of pending.values()) reject(new McpError(ending, true))
    pending.clear()
    void launch.release?.()
  }
  child.on('error', (error) => end(`it could not be started (${error.message})`))
  child.on('exit', (code, signal) => end(`it ended (${code === null ? signal : `exit code ${code}`})`))
  child.stdin?.on('error', () => undefined)
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-ERRORS_KEPT)
  })
  void read()

  async function read(): Promise<void> {
    try {
      for await (const line of linesOf(child.stdout as Readable, MESSAGE_BYTES_MAX)) {
        if (line === null) {
          end('it sent a message larger than 8 MiB')
          return
        }
        take(line)
      }
    } catch {
      end('its output broke off')
    }
  }
  function take(line: string): void {
    const message = parsed(line)
    // Some servers print other lines.
    if (!isRecord(message)) return
    const answer = answerTo(message, rootUrl)
    if (answer !== null) {
      send(answer)
      return
    }
    const waiting = typeof message.id === 'number' ? pending.get(message.id) : undefined
    if (waiting === undefined) return
    pending.delete(message.id as number)
    try {
      waiting.resolve(resultIn(message))
    } catch (error) {
      waiting.reject(error as Error)
    }
  }
  function send(message: Message): void {
    child.stdin?.write(`${JSON.stringify(message)}\n`)
  }

  return {
    get isOpen() {
      return ending === null
    },
    async notify(method, params) {
      if (ending === null) send({ jsonrpc: '2.0', method, ...(params && { params }) })
    },
    request(method, params, { timeoutMs, signal }: CallLimits) {
      if (ending !== null) return Promise.reject(new McpError(ending))
      const id = ++lastId
      return new Promise<Message>((resolve, reject) => {
        const give = (reason: string) => {
          if (!pending.delete(id)) return
          done()
          send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason } })
          reject(new McpError(reason, true))
        }
        const stop = () => give('the user stopped the call')
        const timer = setTimeout(() => give(`it did not answer within ${timeoutMs / 1_000} s`), timeoutMs)
        const done = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', stop)
        }
        pending.set(id, {
          resolve: (result) => {
            done()
            resolve(result)
          },
          reject: (error) => {
            done()
            reject(error)
          },
        })
        signal?.addEventListener('abort', stop, { once: true })
        send({ jsonrpc: '2.0', id, method, params })
        if (signal?.aborted) stop()
      })
    },
    async close() {
      if (ending !== null) return
      const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      // As the protocol wants it: first its input ends, then it is asked, then it is killed.
      child.stdin?.end()
      if (await isWithin(exited, END_MS)) return
      child.kill('SIGTERM')
      if (await isWithin(exited, END_MS)) return
      end('it was stopped')
    },
  }
}

const isWithin = (done: Promise<void>, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    done.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
