// Tools that the caller named itself, and the query of the stream. For the rest, see test/tasks.test.ts.
import { expect, test } from 'vitest'
import { runClientTools, type ToolOutcome } from './client-tools.ts'

type Result = { callId: string; ok: boolean; output: string }

/** A task whose turn calls one tool and then ends. */
function taskThatCalls(tool: string) {
  const answered = Promise.withResolvers<void>()
  const queries: object[] = []
  const results: Result[] = []
  const state = { id: 'trn_1', finishedAt: null as string | null }
  const event = { turnId: 'trn_1', callId: 'call_1_2', tool }
  const tasks = {
    async get(_id: string, query: object = {}) {
      queries.push(query)
      return { turns: [{ ...state }], needs: [], lastSeq: 0 }
    },
    async *stream(_id: string, query: object = {}) {
      queries.push(query)
      yield { ...event, seq: 1, kind: 'needs_tool', input: { text: 'write tests' } }
      await answered.promise
      state.finishedAt = '2026-11-18T15:00:00.000Z'
      yield { seq: 2, turnId: 'trn_1', kind: 'status', status: 'finished' }
    },
    toolOutput: async () => ({}),
    async toolResults(_id: string, body: { results: Result[] }) {
      results.push(...body.results)
      answered.resolve()
    },
  }
  return { client: { tasks }, queries, results }
}

test('a tool without a handler is run by the general one', async () => {
  const { client, queries, results } = taskThatCalls('todo')
  const otherTools = (input: Readonly<Record<string, unknown>>, { tool }: { tool: string }): ToolOutcome => ({
    output: `${tool}: ${input.text}`,
  })
  const turn = await runClientTools(client, 'tsk_1', { read: () => 'never' }, { otherTools, outputs: 'none' })
  expect(turn.finishedAt).not.toBeNull()
  expect(results).toEqual([{ callId: 'call_1_2', ok: true, output: 'todo: write tests' }])
  expect(queries).toContainEqual({ after: 0, outputs: 'none' })
  expect(queries[0]).toEqual({ turns: 1 })
})

test('without one, the model reads that the tool is missing', async () => {
  const { client, results } = taskThatCalls('constructor')
  await runClientTools(client, 'tsk_1', {})
  expect(results).toMatchObject([{ ok: false, output: 'This client does not offer the tool constructor.' }])
})
