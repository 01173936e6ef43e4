// Asks the user about a call: shows the difference or the command, and takes yes, no, a reason or a rule.
import type { Decide } from '../session/types.ts'
import { bold, dim, type Line, plain, render } from '../terminal/line.ts'
import type { Screen } from '../terminal/screen-types.ts'
import type { Approvals, Request } from './approvals.ts'
import type { ApproveMode } from './approve-mode.ts'

type Choice =
  | { readonly kind: 'yes' | 'here' | 'no' | 'reason' | 'whole' }
  | { readonly kind: 'rule'; readonly pattern: string }
  | { readonly kind: 'mode'; readonly mode: ApproveMode }

const PREVIEW_LINES = 40

/** Questions come one after the other, also if calls run in parallel. `stop` ends the turn. */
export function askingDecide(
  screen: Screen,
  approvals: Approvals,
  { stop, onMode }: { stop: () => void; onMode: () => void },
): Decide {
  let last: Promise<unknown> = Promise.resolve()
  return ({ tool }, request, signal) => {
    const decision = last.then(() => decide(tool, request, signal))
    last = decision.catch(() => undefined)
    return decision
  }

  async function decide(tool: string, request: Request, signal: AbortSignal): ReturnType<Decide> {
    let isWhole = false
    for (;;) {
      // An earlier answer may have allowed this one too.
      if (approvals.allows(request)) return { allow: true }
      if (signal.aborted) return { allow: false, reason: 'the turn was stopped' }
      const choice = await screen.choose(
        questionOf(titleOf(tool, request), request, approvals.mode, isWhole),
        signal,
      )
      if (choice === null) {
        stop()
        return { allow: false, reason: 'the turn was stopped' }
      }
      if (choice.kind === 'yes') return { allow: true }
      if (choice.kind === 'here') {
        approvals.allowHere(request)
        return { allow: true }
      }
      if (choice.kind === 'no') return { allow: false, reason: '' }
      if (choice.kind === 'whole') isWhole = true
      else if (choice.kind === 'mode') {
        approvals.setMode(choice.mode)
        onMode()
        return { allow: true }
      } else if (choice.kind === 'rule') {
        await approvals.remember({ about: request.about, pattern: choice.pattern })
        return { allow: true }
      } else {
        const reason = await screen.readLine('What should it do instead?', signal)
        if (reason !== null && reason.trim() !== '') return { allow: false, reason: reason.trim() }
      }
    }
  }
}

const TITLES: Readonly<Record<Request['about'], string>> = {
  edit: 'Change',
  command: 'Run',
  network: 'Run with network',
  outside: 'Outside of the sandbox:',
  sensitive: 'Sensitive:',
  tool: 'Use the tool',
}

/** The verb for the effect of an edit, by tool. */
const EDITS: Readonly<Record<string, string>> = { create: 'Create', delete: 'Delete' }

const titleOf = (tool: string, { about, subject }: Request): Line => [
  bold(`${(about === 'edit' && EDITS[tool]) || TITLES[about]} `),
  firstLine(subject),
  bold('?'),
]

function questionOf(
  title: Line,
  { about, subject, ...request }: Request,
  mode: ApproveMode,
  isWhole: boolean,
) {
  const { patterns } = request
  // The title names a short command already.
  const preview = request.preview.filter((line) => render(line, false) !== plain(subject))
  const isCut = !isWhole && preview.length > PREVIEW_LINES
  const body: Line[] = isCut
    ? [
        ...preview.slice(0, PREVIEW_LINES),
        [dim(`… ${preview.length - PREVIEW_LINES} more lines, shown with "w"`)],
      ]
    : [...preview]
  const choices: { key: string; label: string; value: Choice }[] = [
    { key: 'y', label: 'yes', value: { kind: 'yes' } },
    ...(REPEATED.includes(about)
      ? [{ key: 's', label: 'yes, and this same command in this session', value: { kind: 'here' as const } }]
      : []),
    { key: 'n', label: 'no', value: { kind: 'no' } },
    { key: 'r', label: 'no, with a reason', value: { kind: 'reason' } },
    ...patterns.slice(0, PATTERN_KEYS.length).map((pattern, index) => ({
      key: PATTERN_KEYS[index] ?? '',
      label: `always allow "${pattern}" in this repository`,
      value: { kind: 'rule' as const, pattern },
    })),
  ]
  if (about === 'edit' && mode === 'ask')
    choices.push({
      key: 'e',
      label: 'yes, and all edits of this session',
      value: { kind: 'mode', mode: 'edits' },
    })
  if (about === 'command' && mode !== 'full')
    choices.push({
      key: 'f',
      label: 'yes, and everything inside the sandbox in this session',
      value: { kind: 'mode', mode: 'full' },
    })
  if (isCut) choices.push({ key: 'w', label: 'show the whole', value: { kind: 'whole' } })
  return { title, body, choices }
}

const firstLine = (text: string): string => {
  const [first = '', ...others] = text.trim().split('\n')
  return others.length > 0 ? `${first} …` : first
}

/** Commands that no mode allows, so that the same one would ask each time. */
const REPEATED: readonly Request['about'][] = ['network', 'outside']

const PATTERN_KEYS = ['a', 'b', 'c'] as const
