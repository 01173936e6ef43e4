import type { AbstractValue } from '../../abstract-value.ts'
import { type CallEvent, type Hit, type Rule, worstTaint } from '../../rule.ts'
import { matchesBefore } from '../../rule-helpers/function-text.ts'
import { findTaintedInterpolation, flowHit, isDirectRequest } from '../../rule-helpers/interpolations.ts'

/** Rules about deserialization, uploads and mass assignment. */
export const unsafeDeserialization: Rule = {
  id: 'PH-DESER-01',
  title: 'Objects are deserialized from input',
  cwe: 502,
  severity: 'error',
  confidence: 'high',
  languages: ['php'],
  message:
    '`unserialize` creates any object that the text names and runs its wake-up and destructor methods. Classes of common libraries are enough to run commands.',
  fix: 'Use `json_decode`, or `unserialize($text, ["allowed_classes" => false])`.',
  on: {
    call: (event) => {
      if (event.receiver || !/^(maybe_)?unserialize$/.test(event.name)) return undefined
      const value = event.arg(0)?.value
      const found = value && findTaintedInterpolation(value, [], isDirectRequest)
      return found && !isLimited(event)
        ? flowHit(event.expr.at, found.taint, 'a text that is deserialized')
        : undefined
    },
  },
}

/** Any list of allowed classes is a deliberate choice. */
function isLimited(event: CallEvent): boolean {
  const classes = event.option('allowed_classes')
  return classes !== undefined && classes.known !== true
}

/** Uploads that keep their original name. */
export const keptUploadName: Rule = {
  id: 'PH-UPLOAD-01',
  title: 'An uploaded file keeps its original name',
  cwe: 434,
  severity: 'error',
  confidence: 'medium',
  languages: ['php'],
  message:
    'A file is stored under the name sent by the client. As `x.php` it runs when its URL is opened; with `../` it lands in another folder.',
  fix: 'Generate a name, allow only the needed extensions, and store it where the web server runs nothing.',
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
    ? flowHit(event.expr.at, found.taint, 'the name of the stored file')
    : undefined
}

function targetOf(event: CallEvent): AbstractValue | undefined {
  if (event.name === 'move_uploaded_file') return event.arg(1)?.value
  if (!event.receiver) return undefined
  if (event.method === 'move' || event.method === 'storeAs' || event.method === 'storePubliclyAs')
    return event.arg(1)?.value
  return event.method === 'moveTo' ? event.arg(0)?.value : undefined
}

/** Mass assignment. */
export const massAssignment: Rule = {
  id: 'PH-MASS-01',
  title: 'A record accepts every field of a request',
  cwe: 915,
  severity: 'warn',
  confidence: 'medium',
  languages: ['php'],
  message:
    'Every field of the request is written to the record, including those the form does not have: `is_admin`, `balance`, `user_id`.',
  fix: 'Pass `$request->validated()` or `$request->only([...])`, and list the allowed fields in `$fillable`.',
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
  if (!event.receiver || !FILLING.test(event.method)) return undefined
  const [first] = event.args
  if (first?.expr.kind !== 'call') return undefined
  const taint = worstTaint(first.value, [])
  return taint && isDirectRequest(taint) && /->all\(\)$/.test(event.source(first.expr.at))
    ? { at: event.expr.at }
    : undefined
}
