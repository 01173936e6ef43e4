// The model of the session. Its answers depend only on the request, and its calls use the tools that the request offers.
import type {
  FakeAnswer,
  FakeReply,
  FakeRequest,
  FakeToolCall,
} from '@cowrie/testkit/fakes/models/fake-reply.ts'
import type { ToolStep } from '@cowrie/testkit/tasks/corpus/task.ts'
import { toolCallOf } from '@cowrie/testkit/tasks/scripted-agent.ts'
import type { Turn } from './turn.ts'

type Fields = Record<string, unknown>

/** The number at the end of a prompt tells the model where the session is. */
export const promptOf = ({ prompt }: Turn, index: number): string => `${prompt} (request ${index + 1})`
const REQUEST = /\(request (\d+)\)/g

export type SessionModel = {
  reply(request: FakeRequest): FakeReply
  /** Requests that belong to no turn, such as titles. */
  readonly others: number
}

export function createModel(turns: readonly Turn[], root: string): SessionModel {
  let others = 0
  return {
    get others() {
      return others
    },
    reply({ body }) {
      const messages = listIn(body.messages)
      const toolCall = dialectOf(listIn(body.tools), root)
      const at = messages.findLastIndex(({ role, content }) => role === 'user' && requestIn(content) !== null)
      const turn = turns[requestIn(messages[at]?.content) ?? -1]
      if (!toolCall || !turn) {
        others++
        return 'Work on text differences'
      }
      const answered = messages.slice(at + 1).filter(({ role }) => role === 'tool').length
      return answerAfter(turn, answered, toolCall)
    },
  }
}

const listIn = (value: unknown): Fields[] => (Array.isArray(value) ? (value as Fields[]) : [])

function requestIn(content: unknown): number | null {
  const found = [...JSON.stringify(content ?? '').matchAll(REQUEST)].at(-1)?.[1]
  return found === undefined ? null : Number(found) - 1
}

function answerAfter(turn: Turn, results: number, toolCall: Dialect): FakeAnswer {
  let before = 0
  for (const [words, ...calls] of turn.answers) {
    if (before === results)
      return {
        text: words,
        toolCalls: calls.map((call, n) => ({ id: `call_${before + n}`, ...toolCall(call) })),
      }
    before += calls.length
  }
  return { text: turn.result }
}

/** The call of a client for a step. */
type Dialect = (step: ToolStep) => FakeToolCall

/** By the tools that the client offers. Null for a request without them. */
function dialectOf(tools: readonly Fields[], root: string): Dialect | null {
  const names = tools.map((tool) => String((tool.function as Fields | undefined)?.name))
  if (names.includes('exec_command')) return codexCall
  if (names.includes('bash')) return (step) => opencodeCall(step, root)
  return names.includes('run') ? toolCallOf : null
}

/** Codex has one tool for everything. It recognises `apply_patch` in a command. */
const codexCall: Dialect = (step) => ({
  name: 'exec_command',
  arguments: JSON.stringify({ cmd: commandOf(step) }),
})

function commandOf(step: ToolStep): string {
  switch (step.tool) {
    case 'list':
      return `find ${step.path} -type f -not -path './.git/*'`
    case 'read':
      return `cat ${step.path}`
    case 'search':
      return `grep -rn --exclude-dir=.git ${quote(step.text)} .`
    case 'run':
      return step.command
    case 'edit':
      return patchCommand(
        `*** Update File: ${step.path}\n@@\n${marked('-', step.find)}${marked('+', step.replacement)}`,
      )
    case 'create':
      return patchCommand(`*** Add File: ${step.path}\n${marked('+', step.content.replace(/\n$/, ''))}`)
    case 'delete':
      return patchCommand(`*** Delete File: ${step.path}\n`)
  }
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const marked = (mark: string, text: string): string => text.replace(/^/gm, mark).concat('\n')
const patchCommand = (patch: string): string =>
  `apply_patch <<'EOF'\n*** Begin Patch\n${patch}*** End Patch\nEOF`

function opencodeCall(step: ToolStep, root: string): FakeToolCall {
  const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) })
  const filePath = (path: string) => `${root}/${path}`
  switch (step.tool) {
    case 'list':
      return call('glob', { pattern: '**/*' })
    case 'read':
      return call('read', { filePath: filePath(step.path) })
    case 'search':
      return call('grep', { pattern: step.text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') })
    case 'run':
      return call('bash', { command: step.command, description: 'Run a command' })
    case 'edit':
      return call('edit', {
        filePath: filePath(step.path),
        oldString: step.find,
        newString: step.replacement,
      })
    case 'create':
      return call('write', { filePath: filePath(step.path), content: step.content })
    case 'delete':
      return call('bash', { command: `rm ${quote(step.path)}`, description: 'Delete a file' })
  }
}
