// Rules about file paths from input and from archives.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { CallEvent, Rule } from '../../../rule.ts'
import { ARCHIVE_ENTRY_LABEL } from '../../model/objects.ts'
import { enclosingText, flowHit } from '../taint-flow.ts'

const OPENERS =
  /^java\.io\.(FileInputStream|FileOutputStream|FileReader|FileWriter|RandomAccessFile|PrintWriter|PrintStream)$/
const FILES = /^java\.nio\.file\.Files\.\w+$/
const PATH_CONSTRUCTORS = /^(java\.io\.File|java\.nio\.file\.Paths\.get|java\.nio\.file\.Path\.of)$/

export const pathTraversal: Rule = {
  id: 'JV-PATH-01',
  title: 'A file path is built from input',
  cwe: 22,
  severity: 'error',
  confidence: 'medium',
  languages: ['java'],
  message:
    'Input becomes part of a file path. With `../` or an absolute path, an attacker reaches files outside the intended folder.',
  fix: 'Keep only the last segment (`Path.of(name).getFileName()`), or resolve and normalize the path, and reject it unless it still `startsWith` the folder.',
  on: {
    call(event) {
      const named = pathPartOf(event)
      if (!named || isChecked(event) || usesLastSegment(event)) return undefined
      return flowHit(event.expr.at, named, { sinks: ['path'] })
    },
  },
}

export const archiveTraversal: Rule = {
  id: 'JV-PATH-02',
  title: 'An archive entry decides where its file is written',
  cwe: 22,
  severity: 'error',
  confidence: 'medium',
  languages: ['java'],
  message:
    'The name of an archive entry becomes a file path. A crafted archive writes outside the target folder.',
  fix: 'Resolve and normalize the path of every entry, and reject it unless it `startsWith` the target folder.',
  on: {
    call(event) {
      const named = pathPartOf(event)
      const taint = named?.taints.find(
        ({ origin, label, sanitizedFor }) =>
          origin === 'stored' && label === ARCHIVE_ENTRY_LABEL && !sanitizedFor.has('path'),
      )
      if (!taint || isChecked(event) || usesLastSegment(event)) return undefined
      return { at: event.expr.at, flow: taint.steps }
    },
  },
}

/** The parts of the path. File and path objects are checked where they are created. */
function pathPartOf(event: CallEvent): AbstractValue | undefined {
  const { name, method, arg, receiver, isNew } = event
  if (isNew && OPENERS.test(name)) return isPathObject(arg(0)?.value) ? undefined : arg(0)?.value
  if (FILES.test(name)) return isPathObject(arg(0)?.value) ? undefined : arg(0)?.value
  const isMade =
    PATH_CONSTRUCTORS.test(name) || (method === 'resolve' && /(^|\.)Path$/.test(receiver?.type ?? ''))
  return isMade ? { taints: event.args.flatMap(({ value }) => value.taints) } : undefined
}

const isPathObject = (value: AbstractValue | undefined): boolean =>
  /(^|\.)(File|Path|URI|URL)$/.test(value?.type ?? '')

/** The path is normalized and compared with its folder. */
function isChecked(event: CallEvent): boolean {
  const text = enclosingText(event)
  return (
    /getCanonical(Path|File)|\.canonical(Path|File)|normalize\(|toRealPath\(/.test(text) &&
    /\.startsWith\(|\.relativize\(|\.equals\(|\.canonical(Path|File)\s*[!=]=/.test(text)
  )
}

/** `new File(name).getName()` uses only the last segment. */
const usesLastSegment = ({ text, expr }: CallEvent): boolean =>
  /^\s*\)?\s*\.\s*((getName|getFileName)\(|(name|fileName)\b)/.test(text.slice(expr.at.end, expr.at.end + 40))
