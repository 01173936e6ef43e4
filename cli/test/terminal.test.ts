import { expect, test } from 'vitest'
import { openTerminal } from './pty.ts'

test('the help fits a narrow terminal', async () => {
  const terminal = openTerminal(['help'], { columns: 40 })
  expect(await terminal.ended).toBe(0)
  expect(terminal.screen()).toContain('  auth login\n')
})

test('wrong usage also exits with 64 in a terminal', async () => {
  const terminal = openTerminal(['walet'])
  expect(await terminal.ended).toBe(64)
  expect(terminal.screen()).toContain('Unknown command "walet"')
})
