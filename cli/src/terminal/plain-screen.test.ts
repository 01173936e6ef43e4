import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { diffLines } from './diff-lines.ts'
import { bold, green } from './line.ts'
import { openScreen } from './screen.ts'
import type { ScreenOptions } from './screen-types.ts'

async function openPlain(options: Partial<ScreenOptions> = {}) {
  const input = new PassThrough()
  const output = Object.assign(new EventEmitter(), {
    text: '',
    write(text: string) {
      output.text += text
      return true
    },
  })
  const added: string[] = []
  const screen = await openScreen(input, output, {
    theme: 'dark',
    isPlain: true,
    history: { messages: [], add: (message) => void added.push(message) },
    complete: async () => [],
    ...options,
  })
  return { screen, input, output, added }
}

test('messages come from a pipe line by line, and a backslash continues a line', async () => {
  const { screen, input, added } = await openPlain()
  input.write('first\r\n\nsecond \\\nand more\nlast')
  expect(await screen.readMessage()).toEqual({ text: 'first', shown: 'first' })
  expect(await screen.readMessage()).toMatchObject({ text: 'second \nand more' })
  input.end()
  expect(await screen.readMessage()).toMatchObject({ text: 'last' })
  expect(await screen.readMessage()).toBeNull()
  expect(added).toHaveLength(3)
  screen.close()
})

test('everything is written once, without a code and with words instead of colours', async () => {
  const { screen, output } = await openPlain()
  screen.print([
    [bold('Changed'), ' ', green('a.ts')],
    ...diffLines('+++ b/a.ts\n@@ -1 +1 @@\n-old\n+new\x1b[2J\n'),
  ])
  const answer = screen.openAnswer('text')
  answer.write('# Head\nsome **bold** te')
  answer.write('xt\n```ts\nconst a\n```\n')
  answer.end()
  screen.setActivity('Running npm test')
  screen.setActivity('Running npm test')
  screen.setTail(['ok'])
  screen.setActivity(null)
  expect(output.text).toBe(
    'Changed a.ts\na.ts\nremoved: old\nadded: new\\x1b[2J\nHead\nsome bold text\nconst a\nRunning npm test …\n',
  )
  screen.close()
})

test('the status is a line before a message, if it changed', async () => {
  const { screen, input, output } = await openPlain()
  screen.setStatus(['₦1 of ₦500', 'balance ₦10'])
  screen.setStatus(['₦2 of ₦500', 'balance ₦9'])
  input.write('one\ntwo\n')
  await screen.readMessage()
  await screen.readMessage()
  expect(output.text.match(/of ₦500/g)).toHaveLength(1)
  expect(output.text).toContain('₦2 of ₦500 · balance ₦9\n> ')
  screen.close()
})

test('questions are answered by a line; long bodies are cut', async () => {
  const { screen, input, output } = await openPlain()
  const choices = [
    { key: 'y', label: 'Yes', value: 1 },
    { key: 'n', label: 'No', value: 2 },
  ]
  input.write('maybe\nall\nY\n\n')
  const body = Array.from({ length: 50 }, (_, index) => `line ${index + 1}`)
  expect(await screen.choose({ title: 'Edit?', body, choices })).toBe(1)
  expect(output.text).toContain('line 40\n10 more lines. Type "all" to show them.\n')
  expect(output.text).toContain('line 50\n')
  expect(await screen.choose({ title: 'Edit?', choices, usual: 2 })).toBe(2)
  const stop = new AbortController()
  const asked = screen.readLine('Why?', stop.signal)
  stop.abort()
  expect(await asked).toBeNull()
  input.end()
  expect(await screen.choose({ title: 'Edit?', choices })).toBeNull()
  screen.close()
})
