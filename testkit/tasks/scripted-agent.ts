// A model that follows scripts. Its answers depend only on the request, so it continues after a crash or on another replica.
import type { FakeAnswer, FakeReply, FakeRequest, FakeToolCall } from '../fakes/models/fake-reply.ts'
import type { Script, ToolStep } from './corpus/task.ts'

type Fields = Record<string, unknown>

/** The prompt of a task with the name of the script that the model follows. */
export const promptFor = (prompt: string, script: string): string => `${prompt}\n\n(ticket ${script})`
const TICKET = /\(ticket ([\w./-]+)\)/g

/** Answers each request by the script of its last prompt, and by the number of tool results since. */
export const scriptedAgent =
  (scripts: ReadonlyMap<string, Script>) =>
  ({ body }: FakeRequest): FakeReply => {
    const messages = (body.messages ?? []) as Fields[]
    const at = messages.findLastIndex((message) => message.role === 'user' && ticketOf(message) !== undefined)
    const script = scripts.get(ticketOf(messages[at]) ?? '')
    // Titles and summaries of long conversations belong to no script.
    if (script === undefined) return 'A task of the corpus.'
    const results = messages.slice(at + 1).filter(({ role }) => role === 'tool').length
    return answerAfter(script, results)
  }

const ticketOf = (message: Fields | undefined): string | undefined =>
  [...JSON.stringify(message?.content ?? '').matchAll(TICKET)].at(-1)?.[1]

function answerAfter(script: Script, results: number): FakeAnswer {
  let before = 0
  for (const [number, steps] of script.entries()) {
    if (before === results)
      return { text: `Step ${number + 1}.`, toolCalls: steps.map((step) => toolCallOf(step)) }
    before += steps.length
  }
  return { text: 'I made the change and ran the tests.' }
}

export const toolCallOf = (step: ToolStep): FakeToolCall => ({
  name: step.tool,
  arguments: JSON.stringify(inputOf(step)),
})

function inputOf(step: ToolStep): object {
  switch (step.tool) {
    case 'list':
      return step.path === '.' ? {} : { path: step.path }
    case 'search':
      return { query: step.text, kind: 'text' }
    case 'edit':
      return { path: step.path, edits: [{ find: step.find, replace: step.replacement }] }
    default: {
      const { tool: _, ...input } = step
      return input
    }
  }
}
