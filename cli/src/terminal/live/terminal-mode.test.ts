import { rounds } from '@cowrie/testkit/harness/soak.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openLive } from '../../../test/live-terminal.ts'
import { diffLines } from '../diff-lines.ts'
import { red } from '../line.ts'

test('links are codes only for web addresses, and only where the terminal has links', () => {
  const text = '[docs](https://example.com/a) and [evil](https://a.b/\x1b]0;x\x07) '
  const shownWith = (env: Record<string, string>) => {
    const live = openLive({ env: { TERM: 'xterm-256color', ...env } })
    const answer = live.screen.openAnswer('text')
    answer.write(`${text}\n`)
    live.pass(100)
    expect(live.emulator.unknown).toEqual([])
    expect(live.shown()).toContain('docs (https://example.com/a)')
    return live.written()
  }
  expect(shownWith({ VTE_VERSION: '7600' })).toContain('\x1b]8;;https://example.com/a\x1b\\docs')
  expect(shownWith({ VTE_VERSION: '7600' })).not.toContain('\x1b]8;;https://a.b')
  expect(shownWith({})).not.toContain('\x1b]8')
})

describe('the terminal', () => {
  test('is restored when the screen closes, and the history stays', () => {
    const live = openLive()
    expect(live.isRaw).toBe(true)
    expect(live.emulator.modes.has('?2004')).toBe(true)
    live.screen.print(['kept'])
    void live.screen.during(() => new Promise(() => {}))
    live.screen.close()
    expect(live.shown()).toBe('kept')
    expect([live.isRaw, live.emulator.modes.has('?2004'), live.emulator.cursor().isShown]).toEqual([
      false,
      false,
      true,
    ])
  })

  test('is restored when the process ends in another way', () => {
    const live = openLive()
    void live.screen.during(() => new Promise(() => {}))
    live.pass(100)
    expect(live.emulator.cursor().isShown).toBe(false)
    live.exit()
    expect([live.isRaw, live.emulator.modes.has('?2004'), live.emulator.cursor().isShown]).toEqual([
      false,
      false,
      true,
    ])
  })

  test('Ctrl-Z gives it to the shell, and the region comes back afterwards', () => {
    const live = openLive()
    void live.screen.readMessage()
    live.press('draft')
    live.press('\x1a')
    expect([live.suspensions(), live.isRaw, live.shown()]).toEqual([1, false, ''])
    live.emulator.feed('$ fg\n')
    live.resume()
    expect([live.isRaw, live.shown()]).toEqual([true, '$ fg\n> draft'])
  })

  test('never receives a code of foreign text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { maxLength: 6 }),
        fc.constantFrom(
          '\x1b[2J',
          '\x1b]0;evil\x07',
          '\u009b31m',
          '\u202e',
          '\x1b]8;;http://evil\x1b\\',
          '**',
          '`',
          '\n',
        ),
        (texts, hostile) => {
          const live = openLive({ columns: 40 })
          void live.screen.readMessage()
          const answer = live.screen.openAnswer('text')
          for (const text of texts) {
            answer.write(text + hostile)
            live.screen.setTail([hostile + text])
            live.screen.setActivity(text + hostile)
            live.screen.setStatus([hostile, red(text)])
            live.screen.print([
              [red(hostile)],
              ...diffLines(`--- a/${hostile}\n+++ b/${text}\n@@ -1 +1 @@\n+${hostile}`),
            ])
            live.pass(100)
          }
          answer.end()
          void live.screen.choose({
            title: hostile,
            body: [hostile],
            choices: [{ key: 'y', label: hostile, value: 1 }],
          })
          live.pass(100)
          expect(live.emulator.unknown).toEqual([])
          expect(live.emulator.text()).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
        },
      ),
      { numRuns: rounds(15, 2_000) },
    )
  })

  test('shows what is sent, whatever is pressed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { maxLength: 12 }),
        async (pieces) => {
          const live = openLive({ columns: 60 })
          let sent: string | null = null
          void live.screen.readMessage().then((message) => {
            sent = message?.shown ?? null
          })
          for (const piece of pieces) live.press(piece)
          live.pass(1_000)
          await Promise.resolve()
          expect(live.emulator.unknown).toEqual([])
          if (sent !== null && /^[\x20-\x7e]{1,50}$/.test(sent))
            expect(live.emulator.text()).toContain(`> ${sent}`)
        },
      ),
      { numRuns: rounds(40, 2_000) },
    )
  })
})
