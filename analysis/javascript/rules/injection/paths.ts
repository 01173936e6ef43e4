// Rules about file paths from input.

import type { AbstractValue } from '../../../abstract-value.ts'
import { itemsOf } from '../../../engine/values/values.ts'
import type { CallEvent, Rule } from '../../../rule.ts'
import { PATH_TYPE } from '../../model/node-library.ts'
import { RESPONSE, UPLOAD } from '../../model/requests.ts'
import { findTaint, flowHit } from '../taint-flow.ts'
import { isChecked, isCheckedElsewhere } from './path-guards.ts'

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
        if (!hit || isUploadName(file) || isChecked(event)) return undefined
        return isCheckedElsewhere(event) ? { ...hit, severity: 'note', confidence: 'low' } : hit
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
  // Without a root, `send` rejects `..`, but a path that was resolved before has none left.
  if (name === 'send' && !event.option('root'))
    return event.arg(1)?.value.type === PATH_TYPE ? event.arg(1)?.value : undefined
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

const isUploadName = (file: AbstractValue): boolean =>
  [file, itemsOf(file)].some((value) =>
    /\bfiles?\b[\w.[\]'"]*\.(?:originalname|originalFilename|name)\b/.test(
      findTaint(value, { sinks: ['path'] })?.label ?? '',
    ),
  )
