// A small language to try the engine with: JavaScript, where `input` comes from outside and `run` must not get any of it.

import { returnsUntainted, sanitizes } from '@cowrie/analysis/engine/model-helpers.ts'
import { type ScanOptions, scanFiles } from '@cowrie/analysis/engine/scan-files.ts'
import { itemsOf } from '@cowrie/analysis/engine/values/values.ts'
import { lower } from '@cowrie/analysis/javascript/lowering/lower.ts'
import type { LanguageModel } from '@cowrie/analysis/language-model.ts'
import { type Rule, worstTaint } from '@cowrie/analysis/rule.ts'

export const toyModel: LanguageModel = {
  language: 'javascript',
  lower,
  sources: [
    { name: 'input', origin: 'request' },
    { name: 'Message#body', origin: 'request' },
  ],
  calls: [
    { name: 'escape', returns: sanitizes('shell') },
    { name: 'Number', returns: returnsUntainted() },
    { name: 'Set', returns: ({ arg }) => ({ taints: [], others: itemsOf(arg(0)?.value ?? { taints: [] }) }) },
    { name: 'Map', returns: () => ({ taints: [], fields: new Map() }) },
  ],
  guards: [
    { name: 'isSafe', subject: 0, when: true, sanitizes: ['shell'] },
    { name: '*.startsWith', subject: 'receiver', when: true, sanitizes: ['shell'] },
  ],
  parameter: (parameter, _index, _definition, _where, registered) =>
    registered?.by === 'queue.on' && parameter.target.kind === 'name'
      ? { taints: [], type: 'Message' }
      : undefined,
  globals: new Set(['input', 'queue']),
}

export const toyRule: Rule = {
  id: 'TOY-RUN-01',
  title: 'Input is run as a command',
  cwe: 78,
  severity: 'error',
  confidence: 'high',
  languages: ['javascript'],
  message: 'The sender of the input decides which command runs.',
  fix: 'Run only commands from a fixed list.',
  on: {
    call({ name, arg, expr }) {
      const taint = name === 'run' ? worstTaint(arg(0)?.value ?? { taints: [] }, ['shell']) : undefined
      if (!taint) return undefined
      return { at: expr.at, flow: taint.steps, confidence: taint.origin === 'request' ? 'high' : 'medium' }
    },
  },
}

/** Where something from outside is run: `path:line`, or the line alone where there is one file. */
export async function runsOf(text: string | Readonly<Record<string, string>>, options: ScanOptions = {}) {
  const files = Object.entries(typeof text === 'string' ? { 'src/toy.ts': text } : text)
  const report = await scanFiles(
    files.map(([path, content]) => ({ path, content })),
    [{ model: toyModel, rules: [toyRule] }],
    [],
    { onFailure: rethrow, ...options },
  )
  return report.findings.map(({ path, line }) =>
    typeof text === 'string' ? String(line) : `${path}:${line}`,
  )
}

function rethrow(path: string, error: unknown): never {
  throw new Error(`going through ${path} failed`, { cause: error })
}
