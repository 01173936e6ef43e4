// One MCP server of a session: connected at the start, and again after a crash, but not endlessly.
import { pathToFileURL } from 'node:url'
import { isRecord, type Message } from '../../mcp/message.ts'
import { type Environment, serverEnvironment } from '../commands/sandbox/environment.ts'
import type { Sandbox } from '../commands/sandbox/sandbox.ts'
import { initialize, type McpConnection, McpError } from './connection.ts'
import { openHttp } from './http-connection.ts'
import type { McpServerConfig } from './server-config.ts'
import { openStdio } from './stdio-connection.ts'

export type McpServer = {
  readonly config: McpServerConfig
  readonly state: string
  /** The entries of its list of tools, unchecked. */
  start(): Promise<readonly unknown[]>
  call(tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Message>
  close(): Promise<void>
}

export type ServerSurroundings = {
  readonly root: string
  readonly env: Environment
  readonly home: string | null
  readonly sandbox: Sandbox
  readonly startMs?: number
}

const START_MS = 30_000
const RESTARTS_MAX = 3
const PAGES_MAX = 10
const TOOLS_MAX = 200

export function createMcpServer(config: McpServerConfig, around: ServerSurroundings): McpServer {
  const startMs = around.startMs ?? START_MS
  let connection: McpConnection | null = null
  let connecting: Promise<McpConnection> | null = null
  let starts = 0
  let problem: string | null = null
  let toolCount = 0

  const connect = async (): Promise<McpConnection> => {
    starts += 1
    const opened = await open(config, around)
    try {
      await initialize(opened, { timeoutMs: startMs })
      connection = opened
      problem = null
      return opened
    } catch (error) {
      await opened.close()
      problem = (error as Error).message
      throw error
    }
  }
  /** Calls at the same time share one restart. */
  const ensure = (): Promise<McpConnection> => {
    if (connection?.isOpen) return Promise.resolve(connection)
    if (connecting !== null) return connecting
    if (starts > RESTARTS_MAX)
      return Promise.reject(
        new McpError(`it was restarted ${RESTARTS_MAX} times and is not started again in this session`),
      )
    connecting = connect().finally(() => {
      connecting = null
    })
    return connecting
  }
  return {
    config,
    get state() {
      if (connection?.isOpen)
        return `${toolCount === 1 ? '1 tool' : `${toolCount} tools`}${starts > 1 ? `, restarted ${starts - 1} times` : ''}`
      return problem === null ? (starts === 0 ? 'not started' : 'ended') : `failed: ${problem}`
    },
    async start() {
      const opened = await ensure()
      const tools: unknown[] = []
      let cursor: unknown
      for (let page = 0; page < PAGES_MAX && tools.length < TOOLS_MAX; page++) {
        const result = await opened.request('tools/list', typeof cursor === 'string' ? { cursor } : {}, {
          timeoutMs: startMs,
        })
        if (Array.isArray(result.tools)) tools.push(...result.tools)
        cursor = result.nextCursor
        if (typeof cursor !== 'string') break
      }
      const listed = tools.filter(isRecord).slice(0, TOOLS_MAX)
      toolCount = listed.length
      return listed
    },
    async call(tool, input, signal) {
      const opened = await ensure()
      try {
        return await opened.request(
          'tools/call',
          { name: tool, arguments: input },
          { timeoutMs: config.callMs, signal },
        )
      } catch (error) {
        if (!opened.isOpen) problem = (error as Error).message
        throw error
      }
    },
    async close() {
      await connecting?.catch(() => undefined)
      await connection?.close()
      connection = null
    },
  }
}

/**
 * A server of the user is a program of the user. A server of the repository runs in the sandbox, with the network: the agreement of the
 * user names the program, but the repository can change what that program does.
 */
async function open(
  { transport, source }: McpServerConfig,
  around: ServerSurroundings,
): Promise<McpConnection> {
  if (transport.kind === 'http') return openHttp(transport)
  const { root, env, home, sandbox } = around
  const { command, args } = transport
  const rootUrl = pathToFileURL(root).href
  if (source === 'repository') {
    return openStdio(
      await sandbox.launchProgram(command, args, { isOnline: true, env: transport.env }),
      rootUrl,
    )
  }
  const variables = { ...serverEnvironment(env, home), ...transport.env }
  return openStdio({ program: command, args, env: variables, cwd: root }, rootUrl)
}
