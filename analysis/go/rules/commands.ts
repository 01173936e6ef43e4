import type { AbstractValue, Taint } from '../../abstract-value.ts'
import { isCall } from '../../engine/name-patterns.ts'
import { type CallEvent, type EvaluatedArgument, type Hit, type Rule, worstTaint } from '../../rule.ts'
import { flowHit, interpolationsOf, isDirectRequest } from '../../rule-helpers/interpolations.ts'

/** Rules about operating system commands. */
export const commandInjection: Rule = {
  id: 'GO-CMD-01',
  title: 'A command is built from input',
  cwe: 78,
  severity: 'error',
  confidence: 'high',
  languages: ['go'],
  message:
    'Input decides which program runs, or is interpreted by a shell. A `;`, a `$(…)` or another program name is enough to run anything on this machine.',
  fix: 'Use a constant program with separate arguments (`exec.Command("git", "log", "--", name)`), without a shell. Take choices from a fixed list.',
  on: { call: findCommand },
}

const SHELLS = /^(\/(usr\/)?bin\/)?(ba|z|da|k|a)?sh$|^cmd(\.exe)?$|^(powershell|pwsh)(\.exe)?$/i

function findCommand(event: CallEvent): Hit | undefined {
  const skipped = isCall(event, 'os/exec.CommandContext') ? 1 : 0
  if (skipped === 0 && !isCall(event, 'os/exec.Command', 'syscall.Exec', 'os.StartProcess')) return undefined
  const [program, ...rest] = event.args.slice(skipped)
  if (!program) return undefined
  const chosen = worstTaint(program.value, ['shell'])
  if (chosen && isDirectRequest(chosen)) return flowHit(event.expr.at, chosen, 'the name of the program')
  const taint = SHELLS.test(String(program.value.known ?? '')) ? inScript(rest) : undefined
  return taint && flowHit(event.expr.at, taint, 'a shell command')
}

/** The argument after `-c` is a script. */
function inScript(args: readonly EvaluatedArgument[]): Taint | undefined {
  const flag = args.findIndex(({ value }) => /^[-/](\w*c|command)$/i.test(String(value.known ?? '')))
  const spread = args.find(({ isSpread }) => isSpread)
  const scripts =
    flag === -1 ? (spread ? [spread.value] : []) : args.slice(flag + 1).map(({ value }) => value)
  // Arguments after the script become `$0`, `$1` and so on, which is safe.
  const [script] = scripts
  return script && dangerIn(script)
}

/** A caller may pass a whole command on purpose, but a value inserted into a command is a risk. */
function dangerIn(script: AbstractValue): Taint | undefined {
  for (const { value, before, after } of interpolationsOf(script)) {
    const taint = worstTaint(value, ['shell'])
    if (!taint) continue
    if (isDirectRequest(taint)) return taint
    if (taint.origin === 'parameter' && taint.unknownCalls === 0 && before + after !== '') return taint
  }
  return undefined
}
