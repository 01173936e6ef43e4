// Rules about checks of file paths that leave a gap.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { Expr } from '../../../ir.ts'
import type { CallEvent, CompareEvent, EventContext, Hit, Rule } from '../../../rule.ts'
import { PATH_TYPE } from '../../model/node-library.ts'

export const pathCheckRules: readonly Rule[] = [
  {
    id: 'JS-PATH-03',
    title: 'The check of a folder also accepts folders beside it',
    cwe: 22,
    severity: 'note',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      '`/srv/files-private/key` also starts with `/srv/files`, so `../files-private/key` passes the check.',
    fix: 'Compare with the folder and a separator (`root + path.sep`), or use `path.relative` and reject results that start with `..`.',
    on: {
      call: (event) => (PREFIX_METHODS.has(event.method) ? prefixHit(event) : undefined),
      compare: (event) => slicedHit(event),
    },
  },
]

const PREFIX_METHODS: ReadonlySet<string> = new Set(['startsWith', 'indexOf', 'lastIndexOf'])

/** `file.startsWith(root)`, `file.indexOf(root) === 0`. */
function prefixHit(event: CallEvent): Hit | undefined {
  const folder = event.arg(0)
  if (event.receiver?.type !== PATH_TYPE || !folder || event.expr.callee.kind !== 'member') return undefined
  if (event.method !== 'startsWith' && !isStartCompared(event)) return undefined
  return isOpen(event, folder.expr, folder.value) ? { at: event.expr.at } : undefined
}

const isStartCompared = ({ text, expr }: CallEvent): boolean =>
  /^\s*\)*\s*(?:[!=]==?\s*0|<\s*0|>\s*0)/.test(text.slice(expr.at.end, expr.at.end + 20)) ||
  /(?:\b0\s*[!=]==?\s*|!\s*)$/.test(text.slice(Math.max(0, expr.at.start - 12), expr.at.start))

/** `file.slice(0, root.length) !== root`. */
function slicedHit(event: CompareEvent): Hit | undefined {
  if (!/^[!=]==?$/.test(event.operator)) return undefined
  const { left, right } = event.expr
  const [cut, whole] = left.kind === 'call' ? [left, right] : [right, left]
  if (cut.kind !== 'call' || whole.kind === 'call') return undefined
  const folder = SLICED.exec(event.source(cut.at))?.[1]
  if (folder === undefined || folder !== event.source(whole.at) || !PATH_WORDS.test(event.text))
    return undefined
  return isOpen(event, whole, whole === right ? event.right : event.left) ? { at: event.expr.at } : undefined
}

const SLICED = /\.(?:slice|substr|substring)\(\s*0\s*,\s*([\w$.]+)\.length\s*\)$/
const PATH_WORDS = /\b(?:normalize|resolve|join|realpath\w*)\(/

/** A folder without a separator at its end, in a file that reads or writes files. */
function isOpen(event: EventContext, expr: Expr, value: AbstractValue): boolean {
  const folder = event.source(expr.at)
  if (!/^[\w$.]+(?:\(\))?$/.test(folder) || !FILES.test(event.text)) return false
  if (typeof value.known === 'string') return /[^\\/.]$/.test(value.known)
  if (/[\\/]$/.test(lastText(value))) return false
  const name = folder.replace(/^.*\./, '').replace(/[$()]/g, '\\$&')
  return !new RegExp(
    `\\b${name}\\s*(?:\\+?=|:)[^;\\n]{0,200}(?:\\bsep\\b|['"\`][\\\\/]+['"\`]|[\\\\/]['"\`]\\s*[;,)])`,
  ).test(event.text)
}

const lastText = ({ pieces }: AbstractValue): string => {
  const last = pieces?.at(-1)
  return typeof last === 'string' ? last : ''
}

const FILES =
  /\b(?:createReadStream|createWriteStream|readFile(?:Sync)?|writeFile(?:Sync)?|sendFile|l?stat(?:Sync)?|exists(?:Sync)?)\b/
