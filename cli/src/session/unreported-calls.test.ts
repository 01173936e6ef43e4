import { expect, test } from 'vitest'
import { unreportedText, withUnreported } from './unreported-calls.ts'

const finished = (tool: string, output: string, ok = true) => ({
  call: { callId: `call_1_${tool}`, turnId: 'trn_1', tool, input: { path: 'a' } },
  report: { ok, output, summary: '' },
})

test('calls that changed something are named, those that only read are not', () => {
  expect(unreportedText(null, [finished('read', 'text')], [])).toBeNull()
  expect(unreportedText(null, [finished('edit', 'edited')], [])).toBe('- edit {"path":"a"}: done.\nedited')
  const logged = [
    { state: 'started' as const, callId: 'call_1_9', tool: 'run' },
    { state: 'reported' as const, callId: 'call_1_run', tool: 'run', report: finished('run', 'x').report },
  ]
  expect(unreportedText('- earlier', [finished('run', 'stopped', false)], logged)).toBe(
    '- earlier\n- run {"path":"a"}: failed or stopped.\nstopped\n- run call_1_9: interrupted. It may have had effects.',
  )
})

test('the next turn carries it as an attachment, or in the prompt when there is no room', () => {
  const body = { prompt: 'Go.', maxMinor: 5n }
  expect(withUnreported(body, null)).toBe(body)
  expect(withUnreported(body, '- edit').attachments).toEqual([
    { name: 'calls-of-the-stopped-turn.txt', content: expect.stringMatching(/- edit$/) },
  ])
  const full = { ...body, attachments: Array.from({ length: 10 }, () => ({ name: 'a', content: '' })) }
  expect(withUnreported(full, '- edit').prompt).toMatch(/^Go\.\n\n.*\n- edit$/)
})
