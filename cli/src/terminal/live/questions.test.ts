import { describe, expect, test } from 'vitest'
import { type LiveTerminal, openLive } from '../../../test/live-terminal.ts'

const ESC = '\x1b'
const UP = '\x1b[A'
const DOWN = '\x1b[B'
/** After Esc the terminal waits for the rest of a key. */
const pressEscape = (live: LiveTerminal) => {
  live.press(ESC)
  live.pass(300)
}

describe('suggestions', () => {
  const complete = async (typed: string) =>
    ['/cost', '/compact', '/help', '@src/a.ts', '@src/b.ts']
      .filter((text) => text.startsWith(typed))
      .map((text) => ({ text, label: text === '/cost' ? 'what this session cost' : 'other' }))
  const settle = async () => {
    for (let round = 0; round < 5; round++) await Promise.resolve()
  }

  test('appear below the input, Tab takes one, Esc closes them', async () => {
    const live = openLive({ complete })
    const message = live.screen.readMessage()
    live.press('/co')
    await settle()
    expect(live.shown()).toBe('> /co\n  /cost  what this session cost\n  /compact  other')
    live.press('\t')
    expect(live.shown()).toBe('> /cost')
    live.press('\x17/c')
    await settle()
    pressEscape(live)
    expect(live.shown()).toBe('> /c')
    live.press('\x15see @src')
    await settle()
    live.press(DOWN)
    live.press('\r')
    live.press('\r')
    expect(await message).toMatchObject({ text: 'see @src/b.ts ' })
  })

  test('Enter sends what is typed', async () => {
    const live = openLive({ complete })
    const message = live.screen.readMessage()
    live.press('/co')
    await settle()
    live.press('\r')
    expect(await message).toMatchObject({ text: '/co' })
  })
})

describe('questions', () => {
  const choices = [
    { key: 'y', label: 'Yes', value: 'yes' },
    { key: 'a', label: 'Always', value: 'always' },
    { key: 'n', label: 'No', value: 'no' },
  ]

  test('are answered by key, and the answer stays in the history', async () => {
    const live = openLive()
    const chosen = live.screen.choose({ title: 'Run npm test?', choices })
    expect(live.shown()).toBe('Run npm test?\n  [y] Yes\n  [a] Always\n  [n] No')
    live.press('\r')
    live.pass(100)
    expect(live.shown()).toContain('[n] No\nPress a key in brackets')
    live.press('a')
    expect(await chosen).toBe('always')
    live.pass(100)
    expect(live.shown()).toBe('Run npm test? Always')
  })

  test('are answered by arrows and Enter; Esc and Ctrl-C decline', async () => {
    const live = openLive()
    const chosen = live.screen.choose({ title: 'Run?', choices, usual: 'yes' })
    expect(live.shown()).toContain('> [y] Yes')
    live.press(DOWN)
    live.press(DOWN)
    live.press(UP)
    live.press('\r')
    expect(await chosen).toBe('always')
    for (const key of [ESC, '\x03']) {
      const declined = live.screen.choose({ title: 'Run?', choices })
      live.press(key)
      live.pass(300)
      expect(await declined).toBeNull()
    }
  })

  test('show the start of a long body, and all of it with Tab', async () => {
    const live = openLive({ rows: 12 })
    const body = Array.from({ length: 50 }, (_, index) => `line ${index + 1}`)
    const chosen = live.screen.choose({ title: 'Edit?', body, choices })
    expect(live.shown()).toContain('line 1\n')
    expect(live.shown()).toMatch(/… \d+ more lines \(Tab shows all\)/)
    live.press('\t')
    live.pass(100)
    expect(live.emulator.text()).toContain('line 49\nline 50\nEdit?\n')
    live.press('n')
    expect(await chosen).toBe('no')
  })

  test('come one after the other, and end with their signal', async () => {
    const live = openLive()
    const first = live.screen.choose({ title: 'First?', choices })
    const stop = new AbortController()
    const second = live.screen.choose({ title: 'Second?', choices }, stop.signal)
    const third = live.screen.readLine('Amount:')
    expect(live.shown()).not.toContain('Second?')
    live.press('y')
    expect(await first).toBe('yes')
    expect(live.shown()).toContain('Second?')
    stop.abort()
    expect(await second).toBeNull()
    live.press('250')
    expect(live.shown()).toContain('Amount: 250')
    live.press('\r')
    expect(await third).toBe('250')
  })

  test('are not answered by what was being typed', async () => {
    const live = openLive()
    void live.screen.during(async () => new Promise(() => {}))
    live.press('wh')
    const chosen = live.screen.choose({ title: 'Run rm -rf?', choices })
    live.press('y')
    live.press(' not')
    live.pass(1_000)
    expect(live.shown()).toContain('Run rm -rf?')
    live.press('n')
    expect(await chosen).toBe('no')
    live.pass(100)
    expect(live.shown()).toContain('> why not')
  })

  test('never hide a part of a long command without a remark', async () => {
    const live = openLive({ columns: 40, rows: 12 })
    const command = `npm test ${'--flag '.repeat(200)}&& rm -rf /`
    const asked = live.screen.choose({ title: `Run ${command}?`, body: ['in the sandbox'], choices })
    expect(live.shown()).toMatch(/… \d+ more lines \(Tab shows all\)/)
    expect(live.shown()).toContain('in the sandbox\n  [y] Yes')
    live.press('\t')
    live.pass(100)
    expect(live.emulator.text()).toContain('&& rm -rf /?\nin the sandbox\n')
    live.press('n')
    expect(await asked).toBe('no')
  })

  test('wrap long labels on a narrow terminal', () => {
    const live = openLive({ columns: 40 })
    const long = { key: 'a', label: 'always allow "npm run test -- *" in this repository', value: 1 }
    void live.screen.choose({ title: 'Run?', choices: [long], usual: 1 })
    expect(live.shown()).toBe('Run?\n> [a] always allow "npm run test -- *"\n      in this repository')
  })

  test('a long list shows a window around the selected one', () => {
    const live = openLive({ rows: 10 })
    const many = Array.from({ length: 40 }, (_, index) => ({
      key: `${index}`,
      label: `model ${index}`,
      value: index,
    }))
    void live.screen.choose({ title: 'Model?', choices: many, usual: 20 })
    expect(live.shown()).toContain('> [20] model 20')
    expect(live.shown()).not.toContain('model 39')
  })
})
