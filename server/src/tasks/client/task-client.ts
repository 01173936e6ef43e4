// The tools and conventions of a client workspace, as a task stores them.
import { toPlainText } from '@cowrie/workspace/text/plain-text.ts'
import { present } from '../../kernel/assert.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { redactSecrets } from '../secrets/redact.ts'
import type { ClientTool, TaskClient } from '../types.ts'
import { toPortableSchema } from './input-schema.ts'

type SentTool = Omit<ClientTool, 'isReadOnly'> & { readonly isReadOnly?: boolean | undefined }

export type SentClient = {
  readonly tools?: readonly SentTool[] | undefined
  /** Null removes them. */
  readonly conventions?: TaskClient['conventions'] | undefined
}

export type ClientChange = Partial<TaskClient>

/**
 * Absent fields stay absent. Secrets in tools are removed now, once. The conventions are a file: they are stored as they are, and
 * each turn hides their secrets as it does with other files.
 */
export async function readSentClient(
  orgId: OrgId,
  { tools, conventions }: SentClient,
): Promise<ClientChange> {
  return {
    ...(tools && { tools: await redactTools(orgId, tools.map(toPlainTool)) }),
    ...(conventions !== undefined && { conventions }),
  }
}

const NOTHING: TaskClient = { tools: [], conventions: null }

/** Undefined if nothing changes. */
export function changeClient(before: TaskClient | undefined, change: ClientChange): TaskClient | undefined {
  const { tools, conventions } = before ?? NOTHING
  const after = { tools, conventions, ...change }
  return JSON.stringify(after) === JSON.stringify({ tools, conventions }) ? undefined : after
}

const toPlainTool = ({ name, description, inputSchema, isReadOnly = false }: SentTool): ClientTool => ({
  name,
  description: toPlainText(description),
  inputSchema: toPortableSchema(inputSchema),
  isReadOnly,
})

async function redactTools(orgId: OrgId, tools: readonly ClientTool[]): Promise<ClientTool[]> {
  const texts: string[] = []
  for (const tool of tools)
    mapTool(tool, (text) => {
      texts.push(text)
      return text
    })
  const clean = Object.values(await redactSecrets(orgId, Object.fromEntries(texts.entries()))).values()
  return tools.map((tool) =>
    mapTool(tool, () => present(clean.next().value, 'every text has its clean form')),
  )
}

const mapTool = (tool: ClientTool, change: (text: string) => string): ClientTool => ({
  ...tool,
  description: change(tool.description),
  inputSchema: mapTexts(tool.inputSchema, change) as ClientTool['inputSchema'],
})

/** The values, without the names. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, change)]))
}
