// Rules about file paths from input and from archives.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { Expr } from '../../../ir.ts'
import { enclosingText, flowHit } from '../../../java/rules/taint-flow.ts'
import type { CallEvent, Rule } from '../../../rule.ts'

const OPENERS = /^(?:FileStream|StreamReader|StreamWriter|FileInfo|DirectoryInfo|PhysicalFileResult|ZipFile)$/
const FILES = /^(?:File|Directory|ZipFile)\.(?!Exists$)\w+$/
/** Results and responses that send a file. */
const SENT = /^(?:PhysicalFile|SendFileAsync|VirtualFile|TransmitFile)$/

export const pathTraversal: Rule = {
  id: 'CS-PATH-01',
  title: 'A file path is built from input',
  cwe: 22,
  severity: 'error',
  confidence: 'medium',
  languages: ['csharp'],
  message:
    'Input becomes part of a file path. With `../` or an absolute path, an attacker reaches files outside the intended folder.',
  fix: 'Keep only the last segment (`Path.GetFileName(name)`), or take `Path.GetFullPath` of the path and reject it unless it starts with the folder and a separator.',
  on: {
    call(event) {
      const paths = pathsOf(event)
      if (paths.length === 0 || isChecked(event)) return undefined
      return paths
        .map((path) => flowHit(event.expr.at, path, { sinks: ['path'] }))
        .find((hit) => hit !== undefined)
    },
  },
}

function pathsOf({ name, method, args, isNew, receiver }: CallEvent): AbstractValue[] {
  const values = args.map(({ value }) => value)
  const isOpened = isNew && OPENERS.test(name)
  const [first] = values
  // A stream is not a path.
  if (isOpened) return first && !/Stream$/.test(first.type ?? '') && !isOfRequest(first) ? [first] : []
  if (FILES.test(name))
    return values.slice(
      0,
      /^(?:Copy|Move|Replace|CreateFromDirectory|ExtractToDirectory)$/.test(method) ? 2 : 1,
    )
  const isSent = SENT.test(method) && receiver?.classDefinition === undefined
  return isSent && first ? [first] : []
}

/** The body of a request is read as a stream. */
const isOfRequest = ({ taints }: AbstractValue): boolean =>
  taints.some(({ label }) => /\bBody\b|InputStream$|OpenReadStream/.test(label))

/** The path is normalized and compared with its folder. */
function isChecked(event: CallEvent): boolean {
  const text = enclosingText(event)
  return /GetFullPath|\.FullName\b/.test(text) && /\.StartsWith\(|GetRelativePath|IsSubPathOf/.test(text)
}

export const archiveTraversal: Rule = {
  id: 'CS-PATH-02',
  title: 'An archive entry decides where its file is written',
  cwe: 22,
  severity: 'error',
  confidence: 'medium',
  languages: ['csharp'],
  message:
    'The name of an archive entry becomes a file path. A crafted archive writes outside the target folder.',
  fix: 'Take `Path.GetFullPath` of the path of every entry, and reject it unless it starts with the target folder, or use `ZipFile.ExtractToDirectory`.',
  on: {
    call(event) {
      if (!/^Path\.(?:Combine|Join)$/.test(event.name) || event.args.length < 2) return undefined
      const named = event.args.find(({ expr }) => isEntryName(expr, event))
      if (
        !named ||
        isChecked(event) ||
        !/\.ExtractToFile\(|File\.\w*(?:Create|Write|Open)\w*\(|FileStream\(/.test(enclosingText(event))
      )
        return undefined
      return { at: event.expr.at, detail: `\`${event.source(named.expr.at)}\` is a part of the path.` }
    },
  },
}

function isEntryName(expr: Expr, event: CallEvent): boolean {
  if (expr.kind !== 'member' || !/^(?:FullName|Name|Key)$/.test(expr.property)) return false
  const text = enclosingText(event)
  const isOfEntry = /\bentry\b|Entry\b/i.test(event.source(expr.object.at))
  return (
    isOfEntry &&
    /\bZip(?:Archive|File|InputStream)|\bTar(?:Reader|Archive|InputStream)|\bIArchive|ReaderFactory/.test(
      text,
    )
  )
}
