// The tools that a turn offers to the model.
import { fence } from '../../agent/agent.ts'
import type { Tool } from '../../platform/wires/conversation.ts'
import type { TurnState } from '../steps/turn-context.ts'
import { CLIENT_WORKSPACE_TOOLS, TOOLS } from '../tools/tools.ts'
import type { ClientTool } from '../types.ts'

type Turn = Pick<TurnState, 'task' | 'turn' | 'client'>

/** A turn that plans is offered only tools that read. */
export function offeredTools({ task, turn, client }: Turn, nonce: string): Tool[] {
  const service = task.workspace.kind === 'client' ? CLIENT_WORKSPACE_TOOLS : TOOLS
  const mayUse = ({ isReadOnly }: { readonly isReadOnly: boolean }) => turn.mode === 'work' || isReadOnly
  return [
    ...service.filter(mayUse).map(({ name, description, schema }) => ({ name, description, schema })),
    ...(client?.tools ?? []).filter(mayUse).map((tool) => describe(tool, nonce)),
  ]
}

/** The text is foreign. A program that has seen the marks of the task, in the arguments of a call, must not be able to forge them. */
const describe = ({ name, description, inputSchema }: ClientTool, nonce: string): Tool => ({
  name,
  description: fence(nonce, 'description', description),
  schema: JSON.parse(JSON.stringify(inputSchema).replaceAll(nonce, '')) as ClientTool['inputSchema'],
})
