// Files named by input, and files named by the archives they come in.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { CallEvent, Rule } from '../../../rule.ts'
import { ENTRY } from '../../model/objects.ts'
import { around, flowInto } from '../taint-flow.ts'

const OPENERS =
  /^java\.io\.(FileInputStream|FileOutputStream|FileReader|FileWriter|RandomAccessFile|PrintWriter|PrintStream)$/
const FILES = /^java\.nio\.file\.Files\.\w+$/
const PLACES = /^(java\.io\.File|java\.nio\.file\.Paths\.get|java\.nio\.file\.Path\.of)$/

export const pathTraversal: Rule = {
  id: 'JV-PATH-01',
  title: 'File named by input',
  cwe: 22,
  severity: 'error',
  confidence: 'medium',
  languages: ['java'],
  message:
    'Input becomes part of the path of a file. With `../` or an absolute path, whoever sends it reaches files outside of the folder that was meant.',
  fix: 'Keep the last part of the name only (`Path.of(name).getFileName()`), or resolve the path, normalise it, and refuse it unless it still `startsWith` the folder.',
  on: {
    call(event) {
      const named = namedBy(event)
      if (!named || isChecked(event) || isCutDown(event)) return undefined
      return flowInto(event.expr.at, named, { cleanedBy: ['path'] })
    },
  },
}

export const archiveTraversal: Rule = {
  id: 'JV-PATH-02',
  title: 'File named by an archive',
  cwe: 22,
  severity: 'error',
  confidence: 'medium',
  languages: ['java'],
  message:
    'The name of an entry of an archive becomes the path of a file. An archive made for it writes outside of the folder it is unpacked to.',
  fix: 'Resolve and normalise the path of every entry, and refuse it unless it `startsWith` the folder that is unpacked to.',
  on: {
    call(event) {
      const named = namedBy(event)
      const taint = named?.taints.find(
        ({ origin, label, sanitizedFor }) =>
          origin === 'stored' && label === ENTRY && !sanitizedFor.has('path'),
      )
      if (!taint || isChecked(event) || isCutDown(event)) return undefined
      return { at: event.expr.at, flow: taint.steps }
    },
  },
}

/** What the path is made of. Files and paths were looked at where they were made. */
function namedBy({ name, method, args, arg, receiver, isNew }: CallEvent): AbstractValue | undefined {
  const given = args.map(({ value }) => value)
  if (isNew && OPENERS.test(name)) return isPlace(arg(0)?.value) ? undefined : arg(0)?.value
  if (FILES.test(name)) return isPlace(arg(0)?.value) ? undefined : arg(0)?.value
  const isMade = PLACES.test(name) || (method === 'resolve' && /(^|\.)Path$/.test(receiver?.type ?? ''))
  return isMade ? given.find(({ taints }) => taints.length > 0) : undefined
}

const isPlace = (value: AbstractValue | undefined): boolean =>
  /(^|\.)(File|Path|URI|URL)$/.test(value?.type ?? '')

/** The path is made plain and compared with the folder that it must lie in. */
function isChecked(event: CallEvent): boolean {
  const text = around(event)
  return (
    /getCanonical(Path|File)|normalize\(|toRealPath\(/.test(text) &&
    /\.startsWith\(|\.relativize\(|\.equals\(/.test(text)
  )
}

/** `new File(name).getName()`: only the last part is of interest. */
const isCutDown = ({ text, expr }: CallEvent): boolean =>
  /^\s*\)?\s*\.\s*(getName|getFileName)\(/.test(text.slice(expr.at.end, expr.at.end + 40))
