import type { AbstractValue } from '../../abstract-value.ts'
import { type CallEvent, type Hit, type Rule, worstTaint } from '../../rule.ts'
import { matchesBefore } from '../../rule-helpers/function-text.ts'
import { findTaintedInterpolation, flowHit, isDirectRequest } from '../../rule-helpers/interpolations.ts'

/** Objects that somebody else puts together. */
export const unsafeDeserialization: Rule = {
  id: 'PH-DESER-01',
  title: 'Objects made from input',
  cwe: 502,
  severity: 'error',
  confidence: 'high',
  languages: ['php'],
  message:
    '`unserialize` makes any object that the text asks for and runs what these do when they wake up or are thrown away. With the classes of common libraries that is enough to run commands.',
  fix: 'Use `json_decode`, or `unserialize($text, ["allowed_classes" => false])`.',
  on: {
    call: (event) => {
      if (event.receiver || !/^(maybe_)?unserialize$/.test(event.name)) return undefined
      const value = event.arg(0)?.value
      const found = value && findTaintedInterpolation(value, [], isDirectRequest)
      return found && !isLimited(event)
        ? flowHit(event.expr.at, found.taint, 'a text from which objects are made')
        : undefined
    },
  },
}

/** Any list of classes is one that somebody thought about. */
function isLimited(event: CallEvent): boolean {
  const classes = event.option('allowed_classes')
  return classes !== undefined && classes.known !== true
}

/** Uploads that keep the name they came with. */
export const keptUploadName: Rule = {
  id: 'PH-UPLOAD-01',
  title: 'Upload kept under the name it came with',
  cwe: 434,
  severity: 'error',
  confidence: 'medium',
  languages: ['php'],
  message:
    'A file is kept under the name that its sender gave it. Called `x.php`, it is run by whoever opens its address; with `../` in it, it lands somewhere else.',
  fix: 'Give it a name of your own, allow only the endings that are needed, and keep it where the web server runs nothing.',
  on: { call: findUpload },
}

const CHECKED =
  /in_array\(|array_search\(|isset\(\$\w*(allow|ext|type)|\$?\w*(allow|whitelist)\w*|preg_match\(|getimagesize|finfo|mime_content_type|exif_imagetype|['"](mimes|image|mimetypes)[:'"|]|[!=]==?\s*['"]\.?(jpe?g|png|gif|pdf|csv|zip|txt|image\/\w+)['"]|wp_check_filetype/i

function findUpload(event: CallEvent): Hit | undefined {
  const target = targetOf(event)
  if (!target) return undefined
  const found = findTaintedInterpolation(
    target,
    [],
    ({ origin, label }) =>
      origin === 'request' &&
      /\$_FILES|\[['"](name|full_path)['"]\]$|ClientOriginal|ClientFilename/.test(label),
  )
  return found && !matchesBefore(event, event.expr.at, CHECKED)
    ? flowHit(event.expr.at, found.taint, 'the name under which it is kept')
    : undefined
}

function targetOf(event: CallEvent): AbstractValue | undefined {
  if (event.name === 'move_uploaded_file') return event.arg(1)?.value
  if (!event.receiver) return undefined
  if (event.method === 'move' || event.method === 'storeAs' || event.method === 'storePubliclyAs')
    return event.arg(1)?.value
  return event.method === 'moveTo' ? event.arg(0)?.value : undefined
}

/** Records that take whatever was sent. */
export const massAssignment: Rule = {
  id: 'PH-MASS-01',
  title: 'Record filled with everything that was sent',
  cwe: 915,
  severity: 'warn',
  confidence: 'medium',
  languages: ['php'],
  message:
    'Everything in the request goes into the record, also fields that the form does not have: `is_admin`, `balance`, `user_id`.',
  fix: 'Pass `$request->validated()` or `$request->only([...])`, and name what may be filled in `$fillable`.',
  on: {
    call: findFilled,
    class: ({ definition: { bases, fields } }) => {
      const open = fields.find(
        ({ name, value }) => name === 'guarded' && value?.kind === 'list' && value.items.length === 0,
      )
      return open && bases.some((base) => /Model|Authenticatable|Pivot/.test(base))
        ? { at: open.at }
        : undefined
    },
  },
}

const FILLING = /^(create|fill|forceFill|forceCreate|update|insert|firstOrCreate|updateOrCreate|make)$/

function findFilled(event: CallEvent): Hit | undefined {
  const [first] = event.args
  if (!event.receiver || !FILLING.test(event.method) || !first || first.expr.kind !== 'call') return undefined
  const taint = worstTaint(first.value, [])
  return taint && isDirectRequest(taint) && /->all\(\)$/.test(event.source(first.expr.at))
    ? { at: event.expr.at }
    : undefined
}
