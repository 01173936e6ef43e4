import { expect, test } from 'vitest'
import { after, before, DisciplinedClock, ManualClock, toMs } from './clock.ts'

test('a disciplined clock continues from the time it was set to', async () => {
  const clock = new DisciplinedClock()
  const startedMs = performance.now()
  clock.set(new Date('2030-01-01T00:00:00Z'))
  const first = clock.now()
  const passedMs = performance.now() - startedMs
  await expect.poll(() => clock.now().getTime()).toBeGreaterThan(first.getTime())
  expect(first.getTime() - Date.parse('2030-01-01T00:00:00Z')).toBeLessThanOrEqual(Math.ceil(passedMs))
})

test('a manual clock moves only by advance()', () => {
  const clock = new ManualClock('2026-02-28T23:59:59Z')
  expect(clock.now()).toEqual(clock.now())
  clock.advance({ seconds: 1 })
  expect(clock.now()).toEqual(new Date('2026-03-01T00:00:00Z'))
})

test('durations add up', () => {
  expect(toMs({ days: 1, hours: 1, minutes: 1, seconds: 1, ms: 1 })).toBe(90_061_001)
  const noon = new Date('2026-11-15T12:00:00Z')
  expect(before(after(noon, { days: 3 }), { hours: 72 })).toEqual(noon)
})
