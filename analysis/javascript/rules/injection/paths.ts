// Rules about file paths from input.

import type { AbstractValue } from '../../../abstract-value.ts'
import { itemsOf } from '../../../engine/values/values.ts'
import type { CallEvent, Rule } from '../../../rule.ts'
import { REQUEST, RESPONSE, UPLOAD } from '../../model/requests.ts'
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
        if (!WRITES.has(event.method) || !event.imports(ARCHIVES)) return undefined
        const target = event.arg(0)
        if (!target) return undefined
        const source = `${event.source(target.expr.at)} ${labelsOf(target.value)}`
        const isEntry =
          ENTRY_NAME.test(source) || ENTRY_NAME.test(declarationOf(event, event.source(target.expr.at)))
        if (!isEntry || isChecked(event)) return undefined
        return { at: event.expr.at }
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
  const { name, method, receiver } = event
  const isFiles =
    /^(?:fs|fs-extra|graceful-fs|fs\.promises|fs\/promises|mz\/fs|fs-promise|pn\/fs|co-fs)\./.test(name)
  const done = method.replace(/Async$/, '')
  if (isFiles && FILE_CALLS.has(done)) return event.arg(TWO_PATHS.has(done) ? 1 : 0)?.value
  if (
    receiver?.type === RESPONSE &&
    (method === 'sendFile' || method === 'sendfile' || method === 'download')
  ) {
    return event.option('root') ? undefined : event.arg(0)?.value
  }
  if (name === 'koa-send' || name === 'send' || receiver?.type === REQUEST) return undefined
  return name === 'require' || name === 'import' ? event.arg(0)?.value : undefined
}

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
  'createWriteStream writeFile writeFileSync outputFile outputFileSync open openSync'.split(' '),
)

const ARCHIVES = /zip|^tar|tar-(?:stream|fs)|decompress|^yauzl|unrar|7z|gunzip/i
const ENTRY_NAME =
  /\b(?:entry|zipEntry|header|file|f|item)\.(?:fileName|entryName|path|name|filename|relativePath)\b/

const labelsOf = ({ taints }: AbstractValue): string => taints.map(({ label }) => label).join(' ')

/** The last declaration of a variable, if its own text is not enough. */
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
  if (/\.(?:slice|substr|substring)\(\s*0\s*,\s*[\w.]+\.length\s*\)\s*[!=]==?/.test(before)) return true
  return /\b(?:startsWith|indexOf)\(\s*(?:path\.(?:resolve|join|normalize)|[\w.]*(?:root|base|dir|folder|public|upload|dest|target|output|cwd)\w*)/i.test(
    before,
  )
}
