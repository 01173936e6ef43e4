import { describe, expect, test } from 'vitest'
import { openLive } from '../../../test/live-terminal.ts'

const ESC = '\x1b'

describe('messages', () => {
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

  test('the first frame takes keys in order, and what is sent then is read later', async () => {
    const history = { messages: [] as string[], add: () => undefined }
    const live = openLive({ history })
    live.screen.greet(['cowrie in work'], ['auto', 'ask', '/help'])
    expect(live.shown()).toBe('cowrie in work\n> \nauto · ask · /help')
    expect(live.emulator.cursor()).toEqual({ row: 1, column: 2, isShown: true })
    live.press('fix i')
    live.press('t')
    live.press('\r')
    live.press('and ')
    live.press('\x1b[200~that\x1b[201~')
    expect(live.shown()).toBe('cowrie in work\n> fix it (sent next)\n> and that\nauto · ask · /help')
    expect(await live.screen.readMessage()).toEqual({ text: 'fix it', shown: 'fix it' })
    const second = live.screen.readMessage()
    live.press('\r')
    expect(await second).toMatchObject({ text: 'and that' })
    // The history arrived after the first frame.
    history.messages = ['of last week']
    void live.screen.readMessage()
    live.press('\x1b[A\x1b[A\x1b[A')
    expect(live.shown()).toMatch(/> of last week\nauto/)
  })

  test('a line typed before the start is sent, several lines stay in the input', async () => {
    const live = openLive()
    live.screen.greet([], [])
    live.press('/tasks\n')
    expect(await live.screen.readMessage()).toMatchObject({ text: '/tasks' })
    const other = openLive()
    other.screen.greet([], [])
    other.press('rm it\nall\n')
    expect(other.shown()).toContain('> rm it\n  all')
    const late = openLive()
    late.screen.greet([], [])
    late.pass(1_000)
    late.press('no enter key\n')
    expect(late.shown()).toBe('> no enter key')
  })

  test('Ctrl-C in the first frame clears the draft and then quits', async () => {
    const live = openLive()
    live.screen.greet([], ['/help'])
    live.press('draft\x03')
    expect(live.shown()).toBe('> \n/help')
    live.press('\x03')
    live.press('\x03')
    expect(await live.screen.readMessage()).toBeNull()
  })

  test('several lines, a paste and wide letters keep the cursor where the text ends', async () => {
    const live = openLive({ columns: 40 })
    const message = live.screen.readMessage()
    live.press('漢字 مرحبا\ne\u0301 👍 ')
    live.press(`\x1b[200~${'x\n'.repeat(119)}x\x1b[201~`)
    expect(live.shown()).toBe('> 漢字 مرحبا\n  e\u0301 👍 [pasted 120 lines]')
    expect(live.emulator.cursor()).toMatchObject({ row: 1, column: 25 })
    live.press('\r')
    expect(await message).toEqual({
      text: `漢字 مرحبا\ne\u0301 👍 ${'x\n'.repeat(119)}x`,
      shown: '漢字 مرحبا\ne\u0301 👍 [pasted 120 lines]',
    })
  })

  test('a megabyte pasted at once is one mark, and little is drawn', async () => {
    const live = openLive()
    void live.screen.readMessage()
    const before = live.bytes()
    const paste = Buffer.from(`\x1b[200~${'some words of a log\n'.repeat(60_000)}\x1b[201~`)
    for (let at = 0; at < paste.length; at += 4_096) live.press(paste.subarray(at, at + 4_096))
    expect(live.shown()).toMatch(/^> \[pasted \d+ lines, the rest was cut\]$/)
    expect(live.bytes() - before).toBeLessThan(500)
  })

  test('a message that is answered at once does not wait for the end of the work', async () => {
    const live = openLive()
    live.screen.answerAtOnce((text) =>
      text === '/cost' ? () => live.screen.print(['This session: ₦3']) : null,
    )
    void live.screen.during(() => new Promise(() => {}))
    for (const text of ['/cost', 'later']) {
      live.press(text)
      live.press('\r')
    }
    live.pass(100)
    expect(live.shown()).toBe('> /cost\nThis session: ₦3\n> later (sent next)\n>')
    expect(await live.screen.readMessage()).toMatchObject({ text: 'later' })
  })

  test('what is typed during work waits for the next question, and its draft stays', async () => {
    const live = openLive()
    let finish = () => {}
    const work = live.screen.during(() => new Promise<void>((resolve) => (finish = resolve)))
    live.press('also the docs\r')
    live.press('a draft')
    live.pass(100)
    expect(live.shown()).toBe('> also the docs (sent next)\n> a draft')
    finish()
    await work
    expect(await live.screen.readMessage()).toMatchObject({ text: 'also the docs' })
    live.pass(100)
    expect(live.shown()).toBe('> also the docs\n> a draft')
  })

  test('a long text scrolls within the input and leaves room for the rest', () => {
    const live = openLive({ columns: 30, rows: 10 })
    live.screen.setStatus(['status'])
    void live.screen.readMessage()
    for (let line = 1; line <= 30; line++) live.press(`line ${line}\n`)
    live.press('end')
    const rows = live.shown().split('\n')
    expect(rows.length).toBeLessThan(10)
    expect(rows).toContain('  end')
    expect(rows.at(-1)).toBe('status')
    live.press('\r')
    live.pass(100)
    expect(live.emulator.text()).toContain('> line 1\n  line 2\n')
  })
})

test('with everything at once, the region stays smaller than the window', () => {
  for (let rows = 6; rows <= 16; rows++) {
    const live = openLive({ columns: 30, rows })
    live.screen.print(['history'])
    live.screen.setStatus(['status'])
    void live.screen.during(() => new Promise(() => {}))
    live.screen.setActivity('working')
    live.screen.setTail(['1', '2', '3', '4', '5', '6'])
    for (let message = 0; message < 4; message++) live.press(`message ${message}\r`)
    live.screen.openAnswer('text').write(`some words of ${'long'.repeat(60)} `)
    live.press('line\nline\nline\nline\nline\nline')
    live.pass(300)
    expect(live.emulator.text().match(/history/g)).toHaveLength(1)
    expect(live.emulator.text().match(/status/g)).toHaveLength(1)
    void live.screen.choose({
      title: 'A question?',
      body: Array.from({ length: 30 }, () => 'body'),
      choices: Array.from({ length: 12 }, (_, key) => ({ key: `${key}`, label: 'choice', value: key })),
    })
    live.pass(300)
    for (let second = 0; second < 4; second++) live.pass(1_000)
    expect(live.emulator.text().match(/A question\?/g)).toHaveLength(1)
    expect(live.emulator.text()).toContain('more lines')
    expect(live.emulator.text().match(/history/g)).toHaveLength(1)
  }
})

describe('Ctrl-C, Ctrl-D and Esc', () => {
  test('Ctrl-C clears the text, and twice on an empty input quits', async () => {
    const live = openLive()
    const message = live.screen.readMessage()
    live.press('half a thought')
    live.press('\x03')
    expect(live.shown()).toBe('>')
    live.press('\x19')
    expect(live.shown()).toBe('> half a thought')
    live.press('\x03')
    live.press('\x03')
    expect(live.shown()).toContain('Press Ctrl-C again or Ctrl-D to quit.')
    live.press('\x03')
    expect(await message).toBeNull()
  })

  test('Ctrl-D quits an empty input', async () => {
    const live = openLive()
    const message = live.screen.readMessage()
    live.press('\x04')
    expect(await message).toBeNull()
  })

  test.for([
    ['Esc', ESC],
    ['Ctrl-C', '\x03'],
  ])('%s stops the work and keeps the draft', async ([, key = '']) => {
    const live = openLive()
    const work = live.screen.during(
      (signal) =>
        new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
    )
    live.press('draft')
    live.press(key)
    live.pass(300)
    expect(await work).toBe('stopped')
    void live.screen.readMessage()
    expect(live.shown()).toContain('> draft')
  })

  test('Ctrl-C again ends the process if the work does not stop', () => {
    const live = openLive()
    void live.screen.during(() => new Promise(() => {}))
    live.press('\x03')
    live.press('\x03')
    expect(live.quits()).toBe(0)
    live.pass(1_000)
    live.press('\x03')
    expect(live.quits()).toBe(1)
    expect(live.isRaw).toBe(false)
  })
})

describe('the live region', () => {
  test('an answer streams above the input, wrapped at words', () => {
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

  test('activity has its time, a command its last lines, and the status leaves out what does not fit', () => {
    const live = openLive({ columns: 40 })
    void live.screen.during(() => new Promise(() => {}))
    live.screen.setActivity('Running npm test')
    live.screen.setTail(['ok 1', 'ok 2', '\x1b[2Jok 3'])
    live.screen.setStatus(['₦12.40 of ₦500', 'balance ₦4,210', '↑ 3.1 kB ↓ 18 kB', 'open'])
    live.pass(12_100)
    expect(live.shown().replace(/^[^\w\s]/m, '*')).toBe(
      '  ok 1\n  ok 2\n  \\x1b[2Jok 3\n* 12 s Running npm test (Esc stops)\n> \n₦12.40 of ₦500 · balance ₦4,210',
    )
    live.screen.setActivity(null)
    live.screen.setTail([])
    live.pass(1_000)
    expect(live.shown()).toBe('> \n₦12.40 of ₦500 · balance ₦4,210')
  })

  test('a slow terminal gets fewer frames, and nothing is lost', () => {
    const live = openLive()
    void live.screen.readMessage()
    const answer = live.screen.openAnswer('text')
    live.block()
    answer.write('first words here ')
    live.pass(100)
    live.written()
    for (let word = 0; word < 200; word++) {
      answer.write(`word${word} `)
      live.pass(50)
    }
    expect(live.written()).toBe('')
    live.drain()
    answer.end()
    live.pass(100)
    expect(live.emulator.text()).toContain('word199')
    expect(live.emulator.text().match(/word\d+/g)).toHaveLength(200)
  })

  test.for([
    [true, 80, 40],
    [true, 40, 80],
    [true, 100, 21],
    [false, 80, 40],
    [false, 40, 80],
  ] as const)(
    'a new width leaves no remains (the terminal wraps old rows: %s, %i to %i)',
    ([reflows, from, to]) => {
      const live = openLive({ columns: from, reflows })
      live.screen.print(['history one', 'history two'])
      live.screen.setStatus(['₦12.40 of ₦500', 'balance ₦4,210', '↑ 3.1 kB ↓ 18 kB', 'open', '/help'])
      void live.screen.during(() => new Promise(() => {}))
      live.screen.setActivity('Running the tests of the whole repository')
      live.screen.setTail(['a line of the output of the command that is rather long', 'another'])
      live.press(`a draft that is longer than the narrow window, so that it wraps`)
      live.pass(500)
      live.resize(to)
      live.pass(500)
      const shown = live.emulator.text()
      expect(shown.match(/history/g)).toHaveLength(2)
      expect(shown.match(/Running the/g)).toHaveLength(1)
      expect(shown.match(/₦12\.40/g)).toHaveLength(1)
      expect(shown.match(/another/g)).toHaveLength(1)
      expect(shown.match(/> a draft/g)).toHaveLength(1)
      expect(shown.split('\n').slice(0, 2)).toEqual(['history one', 'history two'])
    },
  )
})

test('two thousand streamed tokens need less than 2.5 times their bytes', () => {
  const live = openLive()
  live.screen.setStatus(['₦12.40 of ₦500', 'balance ₦4,210', '↑ 3.1 kB ↓ 18 kB', 'open', '/help'])
  void live.screen.during(() => new Promise(() => {}))
  live.screen.setActivity('Answering')
  live.pass(500)
  const before = live.bytes()
  const answer = live.screen.openAnswer('text')
  let text = ''
  const words = [
    'the ',
    'function ',
    'reads ',
    '`config.json` ',
    'and ',
    'returns ',
    '**every** ',
    'value, ',
    'so ',
    'tests ',
  ]
  for (let token = 0; token < 2_000; token++) {
    const position = token % 120
    const piece =
      position === 119
        ? 'end.\n\n'
        : position === 60
          ? '\n\n- item '
          : position === 90
            ? '\n'
            : (words[token % 10] ?? '')
    text += piece
    answer.write(piece)
    live.pass(50)
  }
  answer.end()
  live.pass(100)
  const ratio = (live.bytes() - before) / Buffer.byteLength(text)
  expect(live.emulator.text()).toContain('> \n₦12.40')
  expect(ratio).toBeLessThan(2.5)
})
