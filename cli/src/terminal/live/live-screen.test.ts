import { expect, test } from 'vitest'
import { openLive } from '../../../test/live-terminal.ts'

test('what is typed is shown, sent and kept in the history', async () => {
  const live = openLive()
  const message = live.screen.readMessage()
  live.press('fix the tests')
  expect(live.shown()).toBe('> fix the tests')
  live.press('\r')
  expect(await message).toEqual({ text: 'fix the tests', shown: 'fix the tests' })
  expect(live.added).toEqual(['fix the tests'])
  live.screen.setStatus(['₦12.40 of ₦500', 'balance ₦4,210', '/help'])
  void live.screen.readMessage()
  live.press('next')
  live.pass(100)
  expect(live.shown()).toBe('> fix the tests\n> next\n₦12.40 of ₦500 · balance ₦4,210 · /help')
  expect(live.emulator.cursor()).toEqual({ row: 1, column: 6, isShown: true })
})

test('an answer streams above the input, wrapped at words', async () => {
  const live = openLive({ columns: 40 })
  void live.screen.readMessage()
  live.screen.print(['earlier'])
  const answer = live.screen.openAnswer('text')
  for (const word of 'one two three four five six seven eight nine ten eleven twelve'.split(' ')) {
    answer.write(`${word} `)
    live.pass(100)
  }
  answer.end()
  live.screen.setStatus(['status'])
  live.pass(200)
  expect(live.shown()).toBe(
    'earlier\none two three four five six seven eight\nnine ten eleven twelve\n> \nstatus',
  )
})
