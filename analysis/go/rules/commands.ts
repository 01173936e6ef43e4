import type { AbstractValue, Taint } from '../../abstract-value.ts'
import { isCall } from '../../engine/name-patterns.ts'
import { type CallEvent, type EvaluatedArgument, type Hit, type Rule, worstTaint } from '../../rule.ts'
import { flowHit, interpolationsOf, isDirectRequest } from '../../rule-helpers/interpolations.ts'

/** Commands of the system that somebody else writes. */
export const commandInjection: Rule = {
  id: 'GO-CMD-01',
  title: 'Command built from input',
  cwe: 78,
  severity: 'error',
  confidence: 'high',
  languages: ['go'],
  message:
    'A value from outside decides what is run, or is read by a shell. A `;`, a `$(…)` or the name of another program is enough to run anything on this machine.',
  fix: 'Call the program itself with a fixed name and arguments apart (`exec.Command("git", "log", "--", name)`), without a shell; take what can be chosen from a list of your own.',
  on: { call: findCommand },
}

const SHELLS = /^(\/(usr\/)?bin\/)?(ba|z|da|k|a)?sh$|^cmd(\.exe)?$|^(powershell|pwsh)(\.exe)?$/i

function findCommand(event: CallEvent): Hit | undefined {
  const skipped = isCall(event, 'os/exec.CommandContext') ? 1 : 0
  if (skipped === 0 && !isCall(event, 'os/exec.Command', 'syscall.Exec', 'os.StartProcess')) return undefined
  const [program, ...rest] = event.args.slice(skipped)
  if (!program) return undefined
  const chosen = worstTaint(program.value, ['shell'])
  if (chosen && isDirectRequest(chosen))
    return flowHit(event.expr.at, chosen, 'the name of the program that is run')
  const taint = SHELLS.test(String(program.value.known ?? '')) ? inScript(rest) : undefined
  return taint && flowHit(event.expr.at, taint, 'a command that a shell reads')
}

/** What stands behind `-c` is a program. */
function inScript(args: readonly EvaluatedArgument[]): Taint | undefined {
  const flag = args.findIndex(({ value }) => /^[-/](\w*c|command)$/i.test(String(value.known ?? '')))
  const spread = args.find(({ isSpread }) => isSpread)
  const scripts =
    flag === -1 ? (spread ? [spread.value] : []) : args.slice(flag + 1).map(({ value }) => value)
  // What comes after the script reaches it as `$0`, `$1`…: as values, which is how it should be.
  const [script] = scripts
  return script && dangerIn(script)
}

/** A caller who passes a whole command means to; one whose value is put into a command need not. */
function dangerIn(script: AbstractValue): Taint | undefined {
  for (const { value, before, after } of interpolationsOf(script)) {
    const taint = worstTaint(value, ['shell'])
    if (!taint) continue
    if (isDirectRequest(taint)) return taint
    if (taint.origin === 'parameter' && taint.unknownCalls === 0 && before + after !== '') return taint
  }
  return undefined
}
