// Rules about files of archives that are written under the names they bring.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { Expr } from '../../../ir.ts'
import type { CallEvent, Hit, Rule } from '../../../rule.ts'
import { memoizeByText } from '../../../rule-helpers/memoize-by-text.ts'
import { textBefore } from '../taint-flow.ts'
import { isChecked } from './path-guards.ts'

export const archiveRules: readonly Rule[] = [
  {
    id: 'JS-PATH-02',
    title: 'An archive entry decides where its file is written',
    cwe: 22,
    severity: 'error',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'An archive entry may be named `../../.ssh/authorized_keys`. Written under that name, it lands outside the folder.',
    fix: 'Resolve the target and skip the entry unless it starts with the folder and a separator.',
    on: {
      call(event) {
        if (isFolderWriter(event) || isEntryWriter(event)) return { at: event.expr.at }
        if (JOINS.has(event.name)) return joinedEntryHit(event)
        if (!WRITES.has(event.method) || isRead(event)) return undefined
        const target = event.arg(0)
        if (!target || !isUnpacking(event)) return undefined
        const source = `${event.source(target.expr.at)} ${labelsOf(target.value)}`
        const isEntry =
          ENTRY_NAME.test(source) ||
          ENTRY_NAME.test(declarationsOf(event, target.expr)) ||
          isListedName(event, target.expr)
        return isEntry && !isChecked(event) && !ENTRY_CHECK.test(event.text)
          ? { at: event.expr.at }
          : undefined
      },
    },
  },
]

const WRITES: ReadonlySet<string> = new Set(
  'createWriteStream writeFile writeFileSync outputFile outputFileSync open openSync writeFileTo writeFileToAsync'.split(
    ' ',
  ),
)

/** `open(archive.filename, 'r')`. */
const isRead = ({ method, arg }: CallEvent): boolean =>
  (method === 'open' || method === 'openSync') && arg(1)?.value.known === 'r'

/** A writer of `fstream` stores the entries of a parser under the names they bring. */
const isFolderWriter = (event: CallEvent): boolean =>
  /^fstream(?:\.Writer|\.DirWriter)?$/.test(event.name) &&
  event.option('type')?.known === 'Directory' &&
  /\bpars(?:e|er)\b[\s\S]*\.pipe\(/i.test(event.text)

/** `Writer({ path: path.join(folder, entry.path) })` of `fstream`. */
const isEntryWriter = (event: CallEvent): boolean =>
  /^fstream(?:\.Writer|\.DirWriter)?$/.test(event.name) &&
  ENTRY_NAME.test(event.source(event.expr.at)) &&
  !isChecked(event) &&
  !hasAnyCheck(event.text)

const JOINS: ReadonlySet<string> = new Set(['path.join', 'path.resolve'])

/** The target of an entry, in a function that hands it to another one. Functions that write it are reported there. */
function joinedEntryHit(event: CallEvent): Hit | undefined {
  const [folder, ...names] = event.args.map(({ expr }) => event.source(expr.at))
  if (/^(?:['"`]|__dirname)/.test(folder ?? '') || !names.some((name) => ENTRY_NAME.test(name)))
    return undefined
  if (!isUnpacking(event) || !extracts(event.text) || hasAnyCheck(event.text)) return undefined
  return WRITE_CALL.test(event.text.slice(event.expr.at.start)) ? undefined : { at: event.expr.at }
}

const WRITE_CALL = /\b(?:createWriteStream|(?:write|output)File(?:Sync)?|Writer)\(/
const extracts = memoizeByText((text) => /\bextract\w*\b|\bun(?:zip|tar|pack|compress)\w*\b/i.test(text))
/** Any sign of a check of the place where an entry is written. */
const hasAnyCheck = memoizeByText((text) =>
  /\brelative\(|startsWith\(|['"`]\.\.['"`]|\\\.\\\.|indexOf\([^)\n]{0,80}\)\s*[!=]==?\s*0|is-?path-?(?:inside|cwd)|path-is-inside|traversal/i.test(
    text,
  ),
)

/** `Object.keys(zip.files).forEach((name) => write(folder + name))`: the name is an item of the list of entries. */
function isListedName({ text, functions, source }: CallEvent, expr: Expr): boolean {
  if (functions.length < 2 || !listsEntries(text) || hasAnyCheck(text)) return false
  const own = source(expr.at)
  return (functions[0]?.parameters ?? []).some(
    ({ target }) =>
      target.kind === 'name' &&
      ENTRY_ITEM.test(target.name) &&
      new RegExp(`[+,]\\s*${target.name}\\b`).test(own),
  )
}

const listsEntries = memoizeByText((text) =>
  /(?:\bin\s+|Object\.(?:keys|entries)\(\s*)[\w$.]*\.(?:files|entries)\b/.test(text),
)
const ENTRY_ITEM = /^(?:file|entry|key|name|(?:file|entry)[nN]ame|relativePath|filePath)$/

/** The file uses an archive library, or reads the format itself. */
function isUnpacking(event: CallEvent): boolean {
  if (event.imports(ARCHIVES)) return true
  if (hasEntryListener(event.text) && extracts(event.text)) return true
  const isFormat =
    ARCHIVE_FILE.test(event.path) || event.imports(/^(?:zlib|\.{1,2}\/.*(?:zip|tar|archive|entry))/i)
  return isFormat && unpacks(event.text)
}

/** `lib/unzip.js`, `lib/tar-reader.js`. */
const ARCHIVE_FILE = /(?:^|[/_.-])(?:un)?(?:zip|tar|rar|7z|archive)(?:[_.-][^/]*)?\.\w+$/i

const ARCHIVES = /zip|^tar|tar-(?:stream|fs)|decompress|^yauzl|unrar|7z|gunzip/i
const hasEntryListener = memoizeByText((text) => /\.on\(\s*['"]entry['"]/.test(text))
const unpacks = memoizeByText((text) =>
  /\b(?:unzip|untar|unpack|extract(?:All|Entry|To|AllTo)?|decompress|inflate)\w*\(/i.test(text),
)
const ENTRY_NAME =
  /\b[\w$]*(?:entry|header|file|item|member|stream)\.(?:fileName|entryName|path|name|filename|relativePath)\b|\b[fxe]\.path\b|\.(?:entryName|fileName)\b/i

/** `path.relative(folder, target).split(path.sep).includes('..')`, often in the method that reads the entries. */
const ENTRY_CHECK = /\brelative\w*\.split\([^)]*\)\.includes\(\s*['"]\.\.['"]/i

const labelsOf = ({ taints }: AbstractValue): string => taints.map(({ label }) => label).join(' ')

/** The declarations of the variables in an expression, and of the variables in those. */
function declarationsOf(event: CallEvent, expr: Expr): string {
  const texts: string[] = []
  let names = namesIn(event.source(expr.at))
  for (let round = 0; round < DECLARATION_ROUNDS; round++) {
    const found = names.map((name) => declarationOf(event, name)).filter((text) => text !== '')
    texts.push(...found)
    names = found.flatMap((text) => namesIn(text.slice(text.indexOf('=') + 1)))
  }
  return texts.join('\n')
}

const DECLARATION_ROUNDS = 2
const namesIn = (text: string): string[] =>
  (text.match(/(?<![\w$.])[a-z_$][\w$]*(?![\w$(])/gi) ?? []).slice(0, 8)

function declarationOf(event: CallEvent, name: string): string {
  if (!/^[\w$]+$/.test(name)) return ''
  const before = textBefore(event, event.expr.at)
  const at = Math.max(
    before.lastIndexOf(` ${name} = `),
    before.lastIndexOf(` ${name}= `),
    before.lastIndexOf(` ${name}=`),
  )
  return at === -1 ? '' : (/^.*$/m.exec(before.slice(at))?.[0] ?? '')
}
