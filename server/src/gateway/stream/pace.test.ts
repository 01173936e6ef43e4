import { expect, test } from 'vitest'
import { Pace } from './pace.ts'

test('a stream waits only after it has sent something, and all streams wait for the same beat', async () => {
  const [first, second] = [new Pace(), new Pace()]
  expect(first.wait()).toBeNull()
  first.mark()
  second.mark()
  const beat = first.wait()
  expect(beat).toBeInstanceOf(Promise)
  expect(second.wait()).toBe(beat)
  await beat
  await expect.poll(() => first.wait()).toBeNull()
})
