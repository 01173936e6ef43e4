// Rules about options of other programs: a value that starts with a dash is no operand.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { CallEvent, Hit, Rule } from '../../../rule.ts'
import { flowHit } from '../taint-flow.ts'
import { SPAWN_CALLS } from './commands.ts'

export const commandOptionRules: readonly Rule[] = [
  {
    id: 'JS-CMD-02',
    title: 'Input can become an option of a program',
    cwe: 88,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'A value that starts with a dash is read as an option. Options such as `--upload-pack` of git, `-o` of curl or `--checkpoint-action` of tar run commands or write files.',
    fix: 'Put `--` before the values, or reject values that start with a dash.',
    on: { call: optionHit },
  },
]

function optionHit(event: CallEvent): Hit | undefined {
  if (!SPAWN_CALLS.has(event.name)) return undefined
  const program = event.arg(0)?.value.known
  const args = event.arg(1)?.value
  if (!args || !isKnownProgram(program, args)) return undefined
  const operands = operandsOf(args)
  const options = { sinks: ['shell'], origins: ['request', 'parameter'] } as const
  for (const value of operands) {
    if (value.pieces) continue
    const hit = flowHit(event.expr.at, value, { sinks: ['shell'] })
    if (hit) return hit
    const given = flowHit(event.expr.at, value, options)
    // The caller of a library can check the value.
    if (given) return { ...given, severity: 'note' }
  }
  return undefined
}

/** Programs with options that run other programs or write files. */
const PROGRAM =
  /(?:^|[\\/])(?:git|hg|svn|ssh|scp|sftp|rsync|tar|zip|unzip|curl|wget|find|xargs|sendmail|ffmpeg|convert|magick|man|tcpdump|sort|sed|awk|env|npm|docker|kubectl)(?:\.exe)?$/

/** A path to git can be a setting. Its subcommands are known. */
const isKnownProgram = (program: unknown, { fields }: AbstractValue): boolean =>
  typeof program === 'string'
    ? PROGRAM.test(program)
    : program === undefined && GIT_COMMAND.test(String(fields?.get('0')?.known))

const GIT_COMMAND =
  /^(?:clone|checkout|fetch|pull|push|log|show|diff|merge|rebase|reset|ls-remote|rev-parse|archive|grep|blame|submodule)$/

/** The values before `--`, except those that follow a constant option and so are its argument. */
function operandsOf({ fields, others, size, taints }: AbstractValue): AbstractValue[] {
  const found: AbstractValue[] = []
  let isArgument = false
  for (let index = 0; index < (size ?? fields?.size ?? 0); index++) {
    const item = fields?.get(String(index))
    if (item?.known === '--') return found
    if (item && item.known === undefined && !isArgument) found.push(item)
    isArgument = typeof item?.known === 'string' && /^-/.test(item.known)
  }
  if (others) found.push(others)
  // A list of the caller as a whole is a wrapper of the program by design.
  return taints.length > 0 && !fields ? [] : found
}
