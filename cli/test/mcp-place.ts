// A place whose tools come from MCP servers of the user and of the repository.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { connectMcpServers, type McpTools, type McpToolsOptions } from '../src/tools/mcp/mcp-tools.ts'
import { neverAborted, useTrustPlace } from './trust-place.ts'

export function useMcpPlace() {
  const place = useTrustPlace({ GITHUB_TOKEN: 'ghp_own', CHOSEN: 'chosen' })
  const files = { own: join(place.home, 'mcp.json'), theirs: join(place.root, '.mcp.json') }
  const opened: McpTools[] = []
  const closeAll = () => Promise.all(opened.splice(0).map((tools) => tools.close()))
  beforeEach(() => {
    for (const path of Object.values(files)) rmSync(path, { force: true })
  })
  afterEach(closeAll)
  return {
    place,
    closeAll,
    /** Connects the servers of the user and those of the repository; null keeps a file as it is. */
    async connect(
      own: object | null,
      theirs: object | null = null,
      more: Partial<McpToolsOptions> = {},
    ): Promise<McpTools> {
      if (own !== null) writeFileSync(files.own, JSON.stringify({ mcpServers: own }))
      if (theirs !== null) writeFileSync(files.theirs, JSON.stringify({ mcpServers: theirs }))
      const options = { ...place.options(), userFile: files.own, startMs: 10_000, ...more }
      const tools = await connectMcpServers(options)
      opened.push(tools)
      return tools
    },
  }
}

export const callOf = (tool: string, input: Record<string, unknown> = {}) => ({
  callId: 'c',
  turnId: 't',
  tool,
  input,
})

export const run = (
  tools: McpTools,
  tool: string,
  input: Record<string, unknown> = {},
  signal = neverAborted,
) => tools.run(callOf(tool, input), { signal })
