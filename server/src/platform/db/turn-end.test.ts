import { expect, onTestFinished, test, vi } from 'vitest'
import { gatherAtTurnEnd, sendAtTurnEnd } from './turn-end.ts'

test.for([
  ['gathering', gatherAtTurnEnd],
  ['sending', sendAtTurnEnd],
] as const)('a fault while %s is reported, and all other statements leave', async ([, add]) => {
  const microtasks = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => undefined)
  onTestFinished(() => microtasks.mockRestore())
  const sent: string[] = []
  add(() => {
    throw new Error('broken')
  })
  gatherAtTurnEnd(() => sendAtTurnEnd(() => sent.push('gathered')))
  sendAtTurnEnd(() => sent.push('same turn'))
  await new Promise(setImmediate)
  const [report] = microtasks.mock.calls.at(0) ?? []
  expect(report).toThrow('broken')
  await new Promise<void>((resolve) => sendAtTurnEnd(resolve))
  expect(sent.sort()).toEqual(['gathered', 'same turn'])
})
