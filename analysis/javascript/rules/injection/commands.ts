// Rules about shell commands.

import type { AbstractValue } from '../../../abstract-value.ts'
import { itemsOf } from '../../../engine/values/values.ts'
import type { CallEvent, Hit, Rule } from '../../../rule.ts'
import { constantPrefix, findTaint, flowHit, isDeveloperTool } from '../taint-flow.ts'

export const commandRules: readonly Rule[] = [
  {
    id: 'JS-CMD-01',
    title: 'A shell command is built from input',
    cwe: 78,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message:
      'A shell interprets the whole string. With `;`, `|`, `$(…)` or a line break in the value, an attacker runs other commands.',
    fix: 'Use `execFile` or `spawn` with a list of arguments and without `shell`, and put `--` before values that could start with a dash.',
    on: {
      call(event) {
        const command = commandOf(event)
        return command && commandHit(event, command)
      },
    },
  },
]

/** The string that a shell interprets. Undefined if there is no shell. */
function commandOf(event: CallEvent): AbstractValue | undefined {
  const { name, method } = event
  if (SHELL_CALLS.has(name) || isShellWrapper(event)) return event.arg(0)?.value
  if (SPAWN_CALLS.has(name))
    return event.option('shell')?.known || isTrueish(event.option('shell'))
      ? withArguments(event)
      : (afterShell(event) ?? programOf(event))
  if (method === 'exec' && event.receiver?.type === 'SSH') return event.arg(0)?.value
  return undefined
}

/** A package named after the shell that runs a text: `require('async-execute')(`git ${name}`)`. */
function isShellWrapper({ name, arg }: CallEvent): boolean {
  return (
    name.length <= NAME_MAX &&
    SHELL_WRAPPER.test(name) &&
    !NO_SHELL.test(name) &&
    arg(0)?.value.pieces !== undefined
  )
}

const NAME_MAX = 80
const SHELL_WRAPPER =
  /^(?:@[\w-]+\/)?(?:[\w-]+-)?(?:exec|execute|shell|command|cmd)(?:-[\w-]+)?(?:\.(?:exec|execSync|execute|run|runSync|command|shell|sync|default))?$/
/** Packages that take a program and a list, or that are about something else. */
const NO_SHELL =
  /^(?:execa|cross-spawn|commander|command-exists|command-line|shell-quote|shell-escape|any-shell)/

const MODULES = [
  'child_process',
  'cross-spawn',
  'execa',
  'shelljs',
  'child-process-promise',
  'mz/child_process',
  'child_process.promises',
]

const SHELL_CALLS: ReadonlySet<string> = new Set([
  ...MODULES.flatMap((module) => [`${module}.exec`, `${module}.execSync`, `${module}.execAsync`]),
  'execa.command',
  'execa.commandSync',
  'execa.execaCommand',
  'execa.execaCommandSync',
  'execa.shell',
  'execa.shellSync',
  'shelljs',
  'shelljs.exec',
  'child-process-promise.exec',
  'exec-sh',
  'execSync',
  'sync-exec',
  'exec-sync',
  'shell-exec',
  'promised-exec',
  'promise-exec',
  'exec-then',
  'node-exec-promise.exec',
  'cp-exec',
  'node-cmd.run',
  'node-cmd.get',
  'node-cmd.runSync',
  'await-exec',
])

export const SPAWN_CALLS: ReadonlySet<string> = new Set([
  ...MODULES.flatMap((module) => [
    `${module}.spawn`,
    `${module}.spawnSync`,
    `${module}.execFile`,
    `${module}.execFileSync`,
  ]),
  'cross-spawn',
  'cross-spawn.sync',
  'execa',
  'execa.execa',
  'execa.sync',
])

const isTrueish = (value: AbstractValue | undefined): boolean =>
  value?.known === true || typeof value?.known === 'string'

/** `spawn('git', args, { shell: true })`: the shell also interprets the arguments. */
function withArguments(event: CallEvent): AbstractValue {
  const [command, args] = [event.arg(0)?.value, event.arg(1)?.value]
  if (command && findTaint(command, FLOW)) return command
  const all = args?.fields ? [...args.fields.values()] : args?.others ? [args.others] : []
  const bad = all.find((value) => findTaint(value, FLOW))
  return bad ?? command ?? { taints: [] }
}

/** `spawn('sh', ['-c', text])`. */
function afterShell(event: CallEvent): AbstractValue | undefined {
  const program = event.arg(0)?.value.known
  if (
    typeof program !== 'string' ||
    !/(?:^|[\\/])(?:sh|bash|zsh|dash|cmd|cmd\.exe|powershell(?:\.exe)?|pwsh)$/i.test(program)
  )
    return undefined
  const args = event.arg(1)?.value
  const flag = args?.fields?.get('0')?.known
  if (typeof flag !== 'string' || !/^(?:-l?c|\/c|\/s|-command|-c)$/i.test(flag)) return undefined
  const rest = [...(args?.fields ?? [])].filter(([key]) => key !== '0').map(([, value]) => value)
  return rest.find((value) => findTaint(value, FLOW)) ?? (args?.others ? itemsOf(args) : rest[0])
}

/** A request that chooses the program needs no shell. */
function programOf(event: CallEvent): AbstractValue | undefined {
  const program = event.arg(0)?.value
  return program && !program.pieces && findTaint(program, { sinks: ['shell'] }) ? program : undefined
}

const FLOW = { sinks: ['shell'], origins: ['request', 'parameter'] } as const

function commandHit(event: CallEvent, command: AbstractValue): Hit | undefined {
  const hit = flowHit(event.expr.at, command, FLOW)
  if (!hit) return undefined
  const taint = findTaint(command, FLOW)
  if (taint?.origin === 'request') return hit
  // A function whose argument is the whole command is a command runner by design.
  if (!isInsertedInCommand(command)) return undefined
  return isWholeCommand(command) || isDeveloperTool(event.path) ? { ...hit, severity: 'note' } : hit
}

/** `chcp 65001 && ${command}`: the shell expects a command at this place, so the caller passes one. */
function isWholeCommand({ pieces }: AbstractValue): boolean {
  const before = pieces?.[firstTainted(pieces) - 1]
  return typeof before === 'string' && COMMAND_START.test(before)
}

const COMMAND_START = /(?:&&|\|\|?|;|\b(?:sh|bash|zsh)\s+-l?c|\bcmd(?:\.exe)?\s+\/c)\s*["']?$/i

const firstTainted = (pieces: NonNullable<AbstractValue['pieces']>): number =>
  pieces.findIndex((piece) => typeof piece !== 'string' && findTaint(piece, FLOW) !== undefined)

/** Constant text, such as the program, precedes the value of the caller. */
function isInsertedInCommand(command: AbstractValue): boolean {
  if (/^\s*[\w./-]+\s/.test(constantPrefix(command))) return true
  // A joined list of unknown length: a program and its arguments.
  if (!command.pieces && /#join\(\)$/.test(command.name ?? '')) return true
  const pieces = command.pieces ?? []
  const at = firstTainted(pieces)
  const before = pieces
    .slice(0, Math.max(at, 0))
    .some((piece) => typeof piece === 'string' && /[\w"']\s|\s["']?$/.test(piece))
  return at > 0 && before
}
