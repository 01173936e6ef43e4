// The tools and conventions of this computer as the service knows them.
import { createHash } from 'node:crypto'
import type { TaskPatch } from './service.ts'
import type { Toolbox } from './types.ts'

export type SentTools = Required<Pick<TaskPatch, 'tools' | 'conventions'>>

export const readTools = async (toolbox: Toolbox) => ({
  tools: toolbox.definitions.map((tool) => ({ ...tool })),
  conventions: await toolbox.conventions(),
})

export const digestOfTools = (tools: SentTools): string =>
  createHash('sha256').update(JSON.stringify(tools)).digest('hex')
