// The to-do list of a session: the model writes it, the user sees it.
import { join } from 'node:path'
import { toPlainText } from '@cowrie/workspace/text/plain-text.ts'
import type { ClientTool, Todo, ToolGroup } from '../../session/types.ts'
import { isRecord, readState, writeState } from '../../system/state-file.ts'

export type TodoTools = ToolGroup & { todos(): readonly Todo[] }

const ENTRIES_MAX = 50
const CHARACTERS_MAX = 200
const STATES: readonly unknown[] = ['open', 'active', 'done']
const MARKS: Readonly<Record<Todo['state'], string>> = { open: '[ ]', active: '[>]', done: '[x]' }

/** `folder` is that of the session: the list is there again after a restart. */
export function createTodoTools(folder: string): TodoTools {
  const path = join(folder, 'todos.json')
  let list: readonly Todo[] = readState(path, isStored)?.todos ?? []
  return {
    definitions: [DEFINITION],
    names: [DEFINITION.name],
    isReadOnly: () => true,
    assess: async () => ({ kind: 'free' }),
    async run({ input }) {
      const wanted = readTodos(input.todos)
      if (typeof wanted === 'string') return { ok: false, output: wanted, summary: wanted }
      await writeState(path, { todos: wanted })
      list = wanted
      const left = wanted.filter(({ state }) => state !== 'done').length
      return {
        ok: true,
        output: `The list has ${count(wanted.length)}, of which ${left === 1 ? '1 is' : `${left} are`} not done.`,
        summary: `${wanted.length - left} of ${wanted.length} done`,
        details: wanted.map(({ text, state }) => `${MARKS[state]} ${text}`),
      }
    },
    close: async () => undefined,
    todos: () => list,
  }
}

/** The list, or what is wrong with it. */
function readTodos(given: unknown): readonly Todo[] | string {
  if (!Array.isArray(given)) return 'todos must be a list of {text, state}.'
  if (given.length > ENTRIES_MAX)
    return `The list has ${given.length} entries; at most ${ENTRIES_MAX} are allowed.`
  const list: Todo[] = []
  for (const [index, each] of given.entries()) {
    if (!isRecord(each) || typeof each.text !== 'string' || each.text.trim() === '')
      return `Entry ${index + 1} has no text.`
    if (!STATES.includes(each.state)) return `The state of entry ${index + 1} must be open, active or done.`
    const text = toPlainText(each.text).replace(/\s+/g, ' ').trim()
    list.push({ text: text.slice(0, CHARACTERS_MAX), state: each.state as Todo['state'] })
  }
  return list
}

const isStored = (value: unknown): value is { todos: Todo[] } =>
  isRecord(value) && Array.isArray(value.todos) && typeof readTodos(value.todos) !== 'string'

const count = (entries: number): string => (entries === 1 ? '1 entry' : `${entries} entries`)

const DEFINITION: ClientTool = {
  name: 'todo',
  description:
    'Replaces the to-do list that the user sees. Use it for work of several steps: write all steps first, keep exactly one active, and mark each done as soon as it is.',
  inputSchema: {
    type: 'object',
    properties: {
      todos: {
        type: 'array',
        maxItems: ENTRIES_MAX,
        items: {
          type: 'object',
          properties: {
            text: { type: 'string', maxLength: CHARACTERS_MAX },
            state: { type: 'string', enum: ['open', 'active', 'done'] },
          },
          required: ['text', 'state'],
          additionalProperties: false,
        },
      },
    },
    required: ['todos'],
    additionalProperties: false,
  },
  // It changes nothing in the repository.
  isReadOnly: true,
}
