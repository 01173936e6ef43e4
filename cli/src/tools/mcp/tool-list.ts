// The tools of MCP servers as tools of a session: names, descriptions and results come from strangers and are limited here.
import { toPlainText } from '@cowrie/workspace/text/plain-text.ts'
import { isRecord } from '../../mcp/message.ts'
import type { ClientTool } from '../../session/types.ts'
import { toToolSchema } from './tool-schema.ts'

export type McpTool = {
  /** As the server calls it. */
  readonly original: string
  readonly definition: ClientTool
}

const NAME_MAX = 63
const DESCRIPTION_MAX = 1_000

/** `mcp_<server>_<tool>`, unique and valid. `taken` grows. */
export function toolName(server: string, tool: string, taken: Set<string>): string {
  const clean = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '') || 'x'
  const base = `mcp_${clean(server).slice(0, 20)}_${clean(tool)}`
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : `_${number}`
    const name = base.slice(0, NAME_MAX - end.length) + end
    if (taken.has(name)) continue
    taken.add(name)
    return name
  }
}

/** Null if the entry has no usable name. */
export function readTool(
  server: string,
  entry: unknown,
  { isTrusted, taken }: { isTrusted: boolean; taken: Set<string> },
): McpTool | null {
  if (!isRecord(entry) || typeof entry.name !== 'string' || entry.name === '' || entry.name.length > 200)
    return null
  const annotations = isRecord(entry.annotations) ? entry.annotations : {}
  const text = typeof entry.description === 'string' ? toPlainText(entry.description).trim() : ''
  const description = text.length > DESCRIPTION_MAX ? `${text.slice(0, DESCRIPTION_MAX)}…` : text
  return {
    original: entry.name,
    definition: {
      name: toolName(server, entry.name, taken),
      description: `Of the MCP server ${server}, which is not part of Cowrie. ${description || 'It has no description.'}`,
      inputSchema: toToolSchema(entry.inputSchema),
      // The hint of a server counts only if the user chose the server.
      isReadOnly: isTrusted && annotations.readOnlyHint === true,
    },
  }
}

/** The content of a result as text. Pictures and sounds are named as left out. */
export function resultText(result: Readonly<Record<string, unknown>>): string {
  const parts = Array.isArray(result.content) ? result.content.map(partText) : []
  const texts = parts.filter((part) => part !== '')
  if (texts.length > 0) return texts.join('\n')
  return isRecord(result.structuredContent) ? JSON.stringify(result.structuredContent) : ''
}

function partText(part: unknown): string {
  if (!isRecord(part)) return ''
  const media = typeof part.mimeType === 'string' ? ` (${part.mimeType.slice(0, 60)})` : ''
  switch (part.type) {
    case 'text':
      return typeof part.text === 'string' ? part.text : ''
    case 'image':
    case 'audio':
      return `[${part.type}${media} left out]`
    case 'resource_link':
      return `[link to ${String(part.uri).slice(0, 500)}]`
    case 'resource': {
      const resource = isRecord(part.resource) ? part.resource : {}
      return typeof resource.text === 'string'
        ? resource.text
        : `[file ${String(resource.uri).slice(0, 500)} left out]`
    }
    default:
      return ''
  }
}
