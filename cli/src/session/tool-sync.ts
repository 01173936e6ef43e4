// The tools and conventions of this computer as the service knows them.
import { createHash } from 'node:crypto'
import type { Conventions } from './service.ts'
import type { ClientTool, Toolbox } from './types.ts'

export type SentTools = { readonly tools: readonly ClientTool[]; readonly conventions: Conventions | null }

export const readTools = async (toolbox: Toolbox): Promise<SentTools> => ({
  tools: toolbox.definitions,
  conventions: await toolbox.conventions(),
})

export const digestOfTools = (tools: SentTools): string =>
  createHash('sha256').update(JSON.stringify(tools)).digest('hex')
