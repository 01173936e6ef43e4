import { afterEach, expect, test, vi } from 'vitest'
import { resource } from './resource.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('an outdated answer does not replace a newer one', async () => {
  const answers: ((response: Response) => void)[] = []
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => answers.push(resolve)))
  const read = resource(() => fetch('/who').then((answer) => answer.json()))
  const both = [read.load(), read.load()]
  const [first, second] = answers
  second?.(Response.json({ name: 'new' }))
  await both[1]
  first?.(Response.json({ name: 'old' }))
  await both[0]
  expect(read.current.value).toEqual({ state: 'ready', value: { name: 'new' } })
})
