// A session in a real terminal against the real service with a scripted model.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { byStep, calls } from '@cowrie/testkit/tasks/world.ts'
import { expect, test } from 'vitest'
import { openTerminal, type TerminalOptions } from './pty.ts'
import { BROKEN, FIX, FIXED, useSessionDesk } from './session-desk.ts'

const desk = useSessionDesk()

const open = (args: readonly string[], { env, ...options }: TerminalOptions = {}) =>
  openTerminal(args, {
    cwd: desk.repo.root,
    env: desk.env(env),
    ...options,
  })

test('a session asks for a budget and for consent, shows the change and the cost, and takes it back', async () => {
  desk.world.upstream.fallback(
    byStep(calls(['read', { path: 'src/add.js' }]), calls([...FIX]), 'Fixed `add`.', 'You are welcome.'),
  )
  const terminal = open([])
  await terminal.until('/help shows the commands')
  terminal.press('Make add() add.\r')
  await terminal.until('What may this session cost at most?')
  terminal.press('2')
  await terminal.until('Change src/add.js?')
  expect(desk.text('src/add.js')).toBe(BROKEN)
  terminal.press('y')
  await terminal.until(/Cost ₦[\d.]+ · ₦[\d.]+ of ₦500/)
  expect(desk.text('src/add.js')).toBe(FIXED)
  terminal.press('/undo\r')
  await terminal.until('Restored src/add.js')
  expect(desk.text('src/add.js')).toBe(BROKEN)
  terminal.press('Thanks.\r')
  await terminal.until('You are welcome.')
  // The model learns that its change is gone.
  expect(JSON.stringify(desk.world.upstream.requests.at(-1)?.body)).toContain('took back changes of yours')
  terminal.press('\x04')
  expect(await terminal.ended).toBe(0)
})

soakTest('after a kill the next "cowrie" continues the open turn', async () => {
  desk.world.upstream.fallback(byStep(calls([...FIX]), 'Done after all.'))
  const first = open(['--budget', '500'])
  await first.until('/help shows the commands')
  first.press('Make add() add.\r')
  await first.until('Change src/add.js?')
  first.kill()
  await first.ended
  const second = open([])
  await second.until('did not end')
  await second.until('Change src/add.js?')
  second.press('y')
  await second.until('Done after all.')
  expect(desk.text('src/add.js')).toBe(FIXED)
  second.press('/exit\r')
  expect(await second.ended).toBe(0)
})

soakTest('Esc stops a turn and keeps the session', async () => {
  desk.world.upstream.fallback(byStep(calls(['run', { command: "printf 'wait%s' ing; sleep 60" }]), 'Never.'))
  const terminal = open(['--budget', '500'])
  await terminal.until('/help shows the commands')
  terminal.press('Wait.\r')
  await terminal.until('waiting')
  terminal.press('\x1b')
  await terminal.until('Stopped. The work so far is kept.')
  desk.world.upstream.fallback(() => 'Here I am.')
  terminal.press('Are you there?\r')
  await terminal.until('Here I am.')
  terminal.press('\x04')
  expect(await terminal.ended).toBe(0)
})

test('without a sign-in, and outside of a repository, it asks first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-folder-'))
  const terminal = open([], { cwd: folder, env: { COWRIE_API_KEY: '' } })
  await terminal.until('is not a git repository. Work in this folder?')
  terminal.press('y')
  await terminal.until('You are not signed in')
  terminal.press('\x1b')
  expect(await terminal.ended).toBe(4)
  rmSync(folder, { recursive: true })
})
