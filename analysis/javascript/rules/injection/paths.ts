// Rules about file paths from input.

import type { AbstractValue } from '../../../abstract-value.ts'
import { itemsOf } from '../../../engine/values/values.ts'
import type { Expr } from '../../../ir.ts'
import type { CallEvent, Rule } from '../../../rule.ts'
import { RESPONSE, UPLOAD } from '../../model/requests.ts'
import { findTaint, flowHit, textBefore } from '../taint-flow.ts'

export const pathRules: readonly Rule[] = [
  {
    id: 'JS-PATH-01',
    title: 'A file path is built from input',
    cwe: 22,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message:
      'With `../` or an absolute path in the value, a request reaches files outside the intended folder.',
    fix: 'Resolve the path and reject it unless it starts with the folder and a separator, or use `path.basename`, or look the name up in a list. `res.sendFile(name, { root })` checks it for you.',
    on: {
      call(event) {
        const file = fileOf(event)
        const hit = file && flowHit(event.expr.at, file, { sinks: ['path'] })
        return hit && !isUploadName(file) && !isChecked(event) ? hit : undefined
      },
    },
  },
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
        if (isFolderWriter(event)) return { at: event.expr.at }
        if (!WRITES.has(event.method)) return undefined
        const target = event.arg(0)
        if (!target || !isUnpacking(event)) return undefined
        const source = `${event.source(target.expr.at)} ${labelsOf(target.value)}`
        const isEntry = ENTRY_NAME.test(source) || ENTRY_NAME.test(declarationsOf(event, target.expr))
        return isEntry && !isChecked(event) && !ENTRY_CHECK.test(event.text)
          ? { at: event.expr.at }
          : undefined
      },
    },
  },
  {
    id: 'JS-UPLOAD-01',
    title: 'An uploaded file keeps its original name',
    cwe: 434,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'The uploader chooses the name. It can leave the folder, overwrite another file, or have an extension that the server runs.',
    fix: 'Generate a name (`crypto.randomUUID()`) and take the extension from a list of allowed ones.',
    on: {
      call(event) {
        const isMove = event.method === 'mv' && event.receiver?.type === UPLOAD
        const file = isMove ? event.arg(0)?.value : fileOf(event)
        if (!file || !isUploadName(file) || isChecked(event)) return undefined
        return flowHit(event.expr.at, file, { sinks: ['path'] })
      },
    },
  },
]

function fileOf(event: CallEvent): AbstractValue | undefined {
  const { name, method } = event
  const isFiles =
    /^(?:fs|fs-extra|graceful-fs|fs\.promises|fs\/promises|mz\/fs|fs-promise|pn\/fs|co-fs)\./.test(name)
  const done = method.replace(/Async$/, '')
  if (FILE_CALLS.has(done) && (isFiles || isLikeFiles(event)))
    return event.arg(TWO_PATHS.has(done) ? 1 : 0)?.value
  if (method === 'sendFile' || method === 'sendfile' || method === 'download') {
    const isSent = event.receiver?.type === RESPONSE && !event.option('root')
    return isSent ? event.arg(0)?.value : undefined
  }
  return name === 'require' || name === 'import' || name === 'filed' ? event.arg(0)?.value : undefined
}

/** Methods of no other module, or a receiver named `fs` whose import could not be followed. */
function isLikeFiles({ method, receiver, expr: { callee }, source }: CallEvent): boolean {
  if (callee.kind !== 'member' || receiver === null || receiver.taints.length > 0) return false
  return OWN_METHODS.has(method) || /(?:^|\.)_?fs[pex]?$/i.test(source(callee.object.at))
}

const OWN_METHODS: ReadonlySet<string> = new Set(
  'createReadStream createWriteStream readFileSync writeFileSync appendFileSync readdirSync unlinkSync'.split(
    ' ',
  ),
)

const FILE_CALLS: ReadonlySet<string> = new Set(
  'readFile readFileSync createReadStream createWriteStream writeFile writeFileSync appendFile appendFileSync unlink unlinkSync rm rmSync rmdir rmdirSync open openSync readdir readdirSync rename renameSync copyFile copyFileSync outputFile outputFileSync remove removeSync readJson readJSON readJsonSync move copy symlink'.split(
    ' ',
  ),
)

/** Calls whose second path is usually the tainted one. */
const TWO_PATHS: ReadonlySet<string> = new Set([
  'rename',
  'renameSync',
  'copyFile',
  'copyFileSync',
  'move',
  'copy',
  'symlink',
])

const WRITES: ReadonlySet<string> = new Set(
  'createWriteStream writeFile writeFileSync outputFile outputFileSync open openSync writeFileTo writeFileToAsync'.split(
    ' ',
  ),
)

/** A writer of `fstream` stores the entries of a parser under the names they bring. */
const isFolderWriter = (event: CallEvent): boolean =>
  /^fstream(?:\.Writer|\.DirWriter)?$/.test(event.name) &&
  event.option('type')?.known === 'Directory' &&
  /\bpars(?:e|er)\b[\s\S]*\.pipe\(/i.test(event.text)

/** The file uses an archive library, or reads the format itself. */
function isUnpacking(event: CallEvent): boolean {
  if (event.imports(ARCHIVES)) return true
  return event.imports(/^(?:zlib|\.{1,2}\/.*(?:zip|tar|archive|entry))/i) && UNPACKING.test(event.text)
}

const ARCHIVES = /zip|^tar|tar-(?:stream|fs)|decompress|^yauzl|unrar|7z|gunzip/i
const UNPACKING = /\b(?:unzip|untar|unpack|extract(?:All|Entry|To|AllTo)?|decompress|inflate)\w*\(/i
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

const isUploadName = (file: AbstractValue): boolean =>
  [file, itemsOf(file)].some((value) =>
    /\bfiles?\b[\w.[\]'"]*\.(?:originalname|originalFilename|name)\b/.test(
      findTaint(value, { sinks: ['path'] })?.label ?? '',
    ),
  )

/** Checks of a value derived from the path rather than of the path itself. */
function isChecked(event: CallEvent): boolean {
  // A file that imports a path check usually applies it to several of its functions.
  if (event.imports(/^(?:is-path-inside|path-is-inside)$/)) return true
  const before = textBefore(event, event.expr.at)
  if (/\brelative\(/.test(before) && /startsWith\(\s*['"`]\.\.|isAbsolute\(|\^\\?\.\\?\./.test(before))
    return true
  // A pattern that starts with the folder, usually made once for all requests.
  if (FOLDER_PATTERN.test(event.text) && /\.test\(/.test(before)) return true
  return PREFIX_CHECKS.some((check) => check.test(before))
}

const FOLDER_PATTERN = /new RegExp\(\s*['"`]\^['"`]\s*\+/
const FOLDER = '[\\w.]*(?:root|base|dir|folder|public|upload|dest|target|output|cwd|path|prefix|parent)\\w*'

/** Comparisons of the start of a path with a folder. */
const PREFIX_CHECKS: readonly RegExp[] = [
  new RegExp(`\\.(?:slice|substr|substring)\\(\\s*0\\s*,\\s*${FOLDER}\\.length\\s*\\)\\s*[!=]==?`, 'i'),
  /\b(?:startsWith|indexOf)\(\s*(?:path\.(?:resolve|join|normalize)|[\w.]*(?:root|base|dir|folder|public|upload|dest|target|output|cwd)\w*)/i,
]
