// The screen of a session in a real pseudo-terminal.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createEmulator } from './emulator.ts'
import { openTerminal } from './pty.ts'

const PROGRAM = fileURLToPath(new URL('screen-program.ts', import.meta.url))
const open = (way: string) =>
  openTerminal([], {
    columns: 80,
    program: ['sh', '-c', `'${process.execPath}' '${PROGRAM}' ${way}; echo ended $?; stty -a`],
  })

test.for(['throw', 'exit', 'SIGTERM', 'SIGHUP'])('the terminal is restored after %s', async (way) => {
  const terminal = open(way)
  await terminal.until('> ')
  terminal.press('end\r')
  await terminal.ended
  const emulator = createEmulator(80, 30)
  emulator.feed(terminal.raw())
  expect(emulator.modes).toEqual(new Set(['?25']))
  expect(emulator.unknown).toEqual([])
  expect(terminal.screen()).toContain('ended ')
  expect(terminal.screen()).toMatch(/(?<!-)icanon/)
  expect(terminal.screen()).toMatch(/(?<!-)echo\b/)
})

test('a paste, a new width and Ctrl-D', async () => {
  const terminal = open('exit')
  await terminal.until('balance ₦4,210')
  terminal.press(`\x1b[200~${'words of a log\r\n'.repeat(400)}\x1b[201~`)
  await terminal.until('> [pasted 401 lines]')
  terminal.press('\r')
  await terminal.until('got 6000: words of a log')
  terminal.press('hello there')
  await terminal.until('> hello there')
  terminal.resize(40, 30)
  await terminal.until(/there\na status that is longer than a narrow …$/)
  terminal.press(' again\r')
  await terminal.until('got 17: hello there again')
  const shown = terminal.screen()
  expect(shown.match(/a status that/g)).toHaveLength(1)
  expect(shown.match(/> hello there/g)).toHaveLength(1)
  terminal.press('\x04')
  await terminal.ended
  expect(terminal.screen()).toContain('ended 0')
})
