// The screen of a session on a capable terminal. The history is only appended to; below it a small region is redrawn.
import { openEditor } from '../../editor/editor.ts'
import { createKeyDecoder, type Key } from '../../editor/keys.ts'
import { graphemesOf } from '../graphemes.ts'
import type { Line } from '../line.ts'
import type {
  AnswerView,
  Message,
  Question,
  Screen,
  ScreenOptions,
  TerminalInput,
  TerminalOutput,
} from '../screen-types.ts'
import { abilitiesOf } from './abilities.ts'
import { type LiveAnswer, openAnswer } from './answer.ts'
import { compose } from './compose.ts'
import { type Host, thisProcess } from './host.ts'
import { inputRows } from './input-rows.ts'
import { Prompt } from './prompt.ts'
import { Questions } from './questions.ts'
import { Region, type Size } from './region.ts'
import { type Paint, type Row, rowsOf } from './row.ts'
import { enterTerminal } from './terminal-mode.ts'

/** At most twelve frames a second. */
const FRAME_MS = 84
const REMOTE_FRAME_MS = 150
const SPIN_MS = 250
const TICK_MS = 1_000
/** After this the Esc key was pressed; the rest of a sequence would have come. */
const ESCAPE_MS = 60
const REMOTE_ESCAPE_MS = 250
/** Keys that belong to the draft do not answer a question that has just appeared. */
const TYPING_MS = 700
/** A key held down is not a second Ctrl-C. */
const SECOND_INTERRUPT_MS = 700
const QUIT_HINT_MS = 5_000
/** A first read this soon was typed before the terminal was ours, when Enter was the end of a line. */
const TYPED_AHEAD_MS = 300
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

type Work = { readonly stop: AbortController; stoppedAtMs: number | null }

export function openLiveScreen(
  input: TerminalInput,
  output: TerminalOutput,
  options: ScreenOptions,
  host: Host = thisProcess,
): Screen {
  const abilities = abilitiesOf(options.env ?? process.env)
  const paint: Paint = { theme: options.theme, hasLinks: abilities.hasLinks }
  const region = new Region({ isSynchronized: abilities.isSynchronized })
  const keys = createKeyDecoder()
  const prompt = new Prompt(options, () => draw())
  const questions = new Questions({ nowMs: host.nowMs, print: (lines) => print(lines), draw: () => draw() })
  const size = (): Size => ({
    columns: Math.max(12, output.columns || 80),
    rows: Math.max(4, output.rows || 24),
  })

  let finished: Row[] = []
  let answer: LiveAnswer | null = null
  let activity: { text: string; sinceMs: number } | null = null
  let tail: readonly string[] = []
  let status: Parameters<Screen['setStatus']>[0] = []
  let hint: { text: string; untilMs: number } | null = null
  let reading: ((message: Message | null) => void) | null = null
  let isInputShown = false
  let isGreeting = false
  let isFirstRead = true
  let greetedAtMs = Number.NEGATIVE_INFINITY
  let answerAtOnce: Parameters<Screen['answerAtOnce']>[0] = () => null
  let isOver = false
  let isQuitting = false
  const waiting: Message[] = []
  const works: Work[] = []
  let typedAtMs = Number.NEGATIVE_INFINITY

  let isBlocked = false
  let drawnAtMs = Number.NEGATIVE_INFINITY
  let cancelFrame: (() => void) | null = null
  let cancelTick: (() => void) | null = null
  let cancelEscape: (() => void) | null = null
  let spin = 0

  const write = (text: string) => {
    if (text !== '' && !output.write(text)) isBlocked = true
  }

  function draw(): void {
    cancelFrame?.()
    cancelFrame = null
    if (isOver || isBlocked || mode.isSuspended) return
    const now = host.nowMs()
    drawnAtMs = now
    if (hint && now > hint.untilMs) hint = null
    const work = works.at(-1)
    const { shown: asked } = questions
    const { rows, cursor } = compose(
      {
        partial: answer?.partial() ?? [],
        tail,
        activity: activity && {
          mark: abilities.isUnicode ? (SPINNER[spin % SPINNER.length] ?? '') : '*',
          text: activity.text,
          seconds: Math.max(0, Math.floor((now - activity.sinceMs) / 1_000)),
          canStop: work !== undefined && work.stoppedAtMs === null && asked === null,
        },
        waiting: waiting.map(({ shown }) => shown),
        question: asked?.view ?? null,
        line: asked?.line ?? null,
        input: isInputShown ? prompt : null,
        status,
        hint: hint?.text ?? null,
      },
      size(),
      paint,
    )
    // During work without a draft, the cursor stays where text is added: that saves moving it.
    const isTyping = asked !== null || reading !== null || isGreeting || !prompt.isEmpty
    const frame = { finished, rows, cursor: isTyping ? cursor : null }
    finished = []
    write(region.frame(frame, size()))
  }

  /** Draws soon; changes until then share the frame. */
  function drawSoon(): void {
    if (cancelFrame || isBlocked || isOver) return
    const waitMs = drawnAtMs + (abilities.isRemote ? REMOTE_FRAME_MS : FRAME_MS) - host.nowMs()
    if (waitMs <= 0) draw()
    else cancelFrame = host.after(waitMs, draw)
  }

  function tick(): void {
    cancelTick?.()
    cancelTick = null
    if (!activity || isOver) return
    // Text that streams is movement enough.
    const isSpinning = !abilities.isRemote && !answer && questions.shown === null
    if (isSpinning) spin++
    cancelTick = host.after(isSpinning ? SPIN_MS : TICK_MS, tick)
    drawSoon()
  }

  const onDrain = () => {
    isBlocked = false
    draw()
  }
  const onResize = () => {
    if (isOver || mode.isSuspended) return
    write(region.eraseAfterResize(size(), abilities.reflows))
    isBlocked = false
    draw()
  }
  const onData = (chunk: Buffer) => {
    cancelEscape?.()
    cancelEscape = null
    const isAhead = isFirstRead && host.nowMs() - greetedAtMs < TYPED_AHEAD_MS && isOneLine(chunk)
    isFirstRead = false
    if (isAhead) press([...keys.take(chunk.subarray(0, -1)), { kind: 'key', name: 'enter' }])
    else press(keys.take(chunk))
    if (keys.isWaiting)
      cancelEscape = host.after(abilities.isRemote ? REMOTE_ESCAPE_MS : ESCAPE_MS, () => press(keys.flush()))
  }
  const onEnd = () => quit()

  function press(pressed: readonly Key[]): void {
    for (const key of pressed) if (!isOver) pressOne(key)
    draw()
  }

  function pressOne(key: Key): void {
    const now = host.nowMs()
    if (key.kind === 'key' && key.name === 'ctrl-z') {
      mode.suspend()
      return
    }
    const { shown: asked } = questions
    if (asked && !isMeantForDraft(asked.sinceMs, key, now)) {
      questions.press(key, size().columns)
      return
    }
    if (key.kind !== 'key') {
      hint = null
      if (!asked && !reading) typedAtMs = now
    }
    const effect = prompt.press(key, size().columns)
    if (typeof effect === 'object') send(effect.submit)
    else if (effect === 'interrupt') interrupt()
    else if (effect === 'quit') quit()
    else if (effect === 'escape') stop()
    else if (effect === 'redraw') write(region.erase())
  }

  const isMeantForDraft = (askedAtMs: number, key: Key, now: number) =>
    key.kind !== 'key' && askedAtMs - typedAtMs < TYPING_MS && now - askedAtMs < TYPING_MS && !prompt.isEmpty

  function interrupt(): void {
    if (works.length > 0) stop()
    else if (!prompt.isEmpty) prompt.clear()
    else if (hint?.text === QUIT_HINT) quit()
    else hint = { text: QUIT_HINT, untilMs: host.nowMs() + QUIT_HINT_MS }
  }

  function stop(): void {
    const work = works.at(-1)
    if (!work) return
    const now = host.nowMs()
    if (work.stoppedAtMs === null) {
      work.stoppedAtMs = now
      hint = { text: 'Stopping. Press Ctrl-C again to quit at once.', untilMs: Number.POSITIVE_INFINITY }
      work.stop.abort()
    } else if (now - work.stoppedAtMs > SECOND_INTERRUPT_MS) {
      close()
      if (options.quit) options.quit()
      else host.quit()
    }
  }

  function quit(): void {
    isQuitting = true
    for (const work of works) work.stop.abort()
    questions.close()
    const give = reading
    reading = null
    give?.(null)
  }

  function send(message: Message): void {
    if (!reading) {
      const act = answerAtOnce(message.text)
      if (act) {
        echo(message)
        act()
      } else waiting.push(message)
      return
    }
    const give = reading
    reading = null
    echo(message)
    give(message)
  }

  /** The message in the history, as it was typed. */
  function echo({ shown }: Message): void {
    const units = graphemesOf(shown).map((text) => ({ text }))
    const typed = { ...openEditor(), document: { units, cursor: 0 } }
    answer?.settle()
    finished.push(
      ...inputRows(typed, { columns: size().columns, height: Number.POSITIVE_INFINITY, paint }).rows,
    )
  }

  function print(lines: readonly Line[]): void {
    answer?.settle()
    const { columns } = size()
    for (const line of lines) finished.push(...rowsOf(line, columns, paint))
    drawSoon()
  }

  function close(): void {
    if (isOver) return
    draw()
    isOver = true
    for (const cancel of [cancelFrame, cancelTick, cancelEscape]) cancel?.()
    mode.leave()
    input.off('data', onData)
    input.off('end', onEnd)
    output.off('drain', onDrain)
    output.off('resize', onResize)
    input.pause()
    quit()
  }

  const mode = enterTerminal(input, output, host, {
    hasTitle: abilities.hasTitle,
    erase: () => region.erase(),
    onContinue: draw,
    onInterrupt: () => press([{ kind: 'key', name: 'ctrl-c' }]),
  })
  input.on('data', onData)
  input.on('end', onEnd)
  output.on('drain', onDrain)
  output.on('resize', onResize)
  input.resume()

  return {
    columns: () => size().columns,
    print,
    openAnswer(kind): AnswerView {
      answer?.end()
      const opened = openAnswer(kind, {
        columns: () => size().columns,
        paint,
        finish: (rows) => void finished.push(...rows),
        onChange: drawSoon,
        onEnd() {
          if (answer === opened) answer = null
          drawSoon()
        },
      })
      answer = opened
      return opened
    },
    setActivity(text) {
      if (text === null) activity = null
      else if (activity) activity = { ...activity, text }
      else activity = { text, sinceMs: host.nowMs() }
      if (activity && !cancelTick) tick()
      else drawSoon()
    },
    setTail(lines) {
      tail = lines
      drawSoon()
    },
    setStatus(next) {
      status = next
      drawSoon()
    },
    greet(lines, first) {
      for (const line of lines) finished.push(...rowsOf(line, size().columns, paint))
      status = first
      isInputShown = true
      isGreeting = true
      greetedAtMs = host.nowMs()
      draw()
    },
    readMessage({ initial } = {}) {
      isGreeting = false
      isInputShown = true
      if (isOver || isQuitting) return Promise.resolve(null)
      const next = waiting.shift()
      if (next) {
        echo(next)
        drawSoon()
        return Promise.resolve(next)
      }
      if (initial !== undefined && prompt.isEmpty) prompt.setText(initial)
      return new Promise((resolve) => {
        reading = resolve
        draw()
      })
    },
    answerAtOnce(answer) {
      answerAtOnce = answer
    },
    async during(run) {
      isInputShown = true
      const work: Work = { stop: new AbortController(), stoppedAtMs: null }
      if (isQuitting) work.stop.abort()
      works.push(work)
      drawSoon()
      try {
        return await run(work.stop.signal)
      } finally {
        works.splice(works.indexOf(work), 1)
        if (work.stoppedAtMs !== null) hint = null
        drawSoon()
      }
    },
    choose: <V>(question: Question<V>, signal?: AbortSignal) => questions.choose(question, signal),
    readLine: (question, signal) => questions.readLine(question, signal),
    close,
  }
}

/** Several lines could be a paste that is not meant to be sent: they stay in the input. */
const isOneLine = (chunk: Buffer): boolean => chunk.length > 1 && chunk.indexOf('\n') === chunk.length - 1

const QUIT_HINT = 'Press Ctrl-C again or Ctrl-D to quit.'
