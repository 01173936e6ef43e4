// Whether a dependency file has the form of its kind. A damaged or shortened file would otherwise look like one with fewer
// dependencies.

type Check = (lines: readonly string[]) => boolean

/** A merge that was not finished. */
const CONFLICT = /^(?:<{7}|>{7}|\|{7}) /m

const FORMS: readonly (readonly [name: RegExp, check: Check])[] = [
  [/^yarn\.lock$/i, isYarnLock],
  [/^pnpm-lock\.ya?ml$/i, isPnpmLock],
  [/^(?:poetry|uv|pdm|cargo)\.lock$/i, isTomlLock],
  [/^go\.mod$/i, isGoMod],
  [/^go\.sum$/i, eachLine(/^\S+ v\S+ h1:[A-Za-z0-9+/]{43}=$/)],
  [/^(?:gemfile\.lock|gems\.locked)$/i, isGemfileLock],
  [/^pubspec\.lock$/i, isPubspecLock],
  [/^gradle\.lockfile$/i, eachLine(/^(?:#.*|[\w.-]+:[\w.-]+:[^\s=]+=\S*|empty=\S*)$/)],
  [/^pom\.xml$|\.(?:cs|fs|vb)proj$|^(?:packages\.config|directory\.(?:build|packages)\.props)$/i, isXml],
  [/requirements|constraints/i, areRequirements],
]

/** JSON files are checked by their parser. */
export function isWellFormed(name: string, content: string): boolean {
  if (content.includes('\u0000') || CONFLICT.test(content)) return false
  const check = FORMS.find(([pattern]) => pattern.test(name))?.[1]
  return check?.(content.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) ?? true
}

function eachLine(form: RegExp): Check {
  return (lines) => lines.every((line) => line.trim() === '' || form.test(line.trim()))
}

const isRemark = (line: string): boolean => line.trim() === '' || line.trimStart().startsWith('#')

/** Entries begin at the margin and have a version below them. */
function isYarnLock(lines: readonly string[]): boolean {
  const rest = lines.filter((line) => !isRemark(line))
  const isMarked = lines.some((line) => /^# yarn lockfile v\d|^__metadata:/.test(line))
  return (
    isMarked &&
    rest.every((line, at) => {
      if (/^\s/.test(line)) return at > 0
      const next = rest[at + 1] ?? ''
      return /:$/.test(line) && /^ {1,8}(?:"?version"?:? |resolution: )/.test(next)
    })
  )
}

function isPnpmLock(lines: readonly string[]): boolean {
  const rest = lines.filter((line) => !isRemark(line) && line !== '---')
  if (!rest.some((line) => /^lockfileVersion:/.test(line))) return false
  let section = ''
  return rest.every((line, at) => {
    if (line.startsWith('\t')) return false
    const [, title, value = ''] = /^([A-Za-z]\w*):(?:[ ](.*))?$/.exec(line) ?? []
    if (title !== undefined) {
      section = title
      return title !== 'packages' || value !== '' || /^ {2}\S/.test(rest[at + 1] ?? '')
    }
    if (!/^ /.test(line)) return false
    if (section !== 'packages' || !/^ {2}\S/.test(line)) return true
    return /:\s*\{.*\}\s*$/.test(line) || (/:\s*$/.test(line) && /^ {4}/.test(rest[at + 1] ?? ''))
  })
}

function isTomlLock(lines: readonly string[]): boolean {
  const rest = lines.filter((line) => !isRemark(line))
  if (!rest.some((line) => /^\[|^version = |^package = \[\]/.test(line))) return rest.length === 0
  const areNamed = rest.every(
    (line, at) =>
      line.trim() !== '[[package]]' ||
      (/^name = "[^"]+"/.test(rest[at + 1] ?? '') && /^(?:version|source) = /.test(rest[at + 2] ?? '')),
  )
  return areNamed && isBalancedToml(lines)
}

/** Each line is a table, a key, a part of a list or of a long string, and all lists end. */
function isBalancedToml(lines: readonly string[]): boolean {
  let depth = 0
  let long: string | null = null
  for (const line of lines) {
    if (long !== null) {
      if (line.includes(long)) long = null
      continue
    }
    const plain = line.replace(/"(?:[^"\\]|\\.)*"(?!")|'[^']*'(?!')/g, '""').replace(/#.*$/, '')
    const open = /("""|''')/.exec(plain)?.[1]
    if (open !== undefined) {
      long = open
      continue
    }
    const isInside = depth > 0
    depth += (plain.match(/[[{]/g)?.length ?? 0) - (plain.match(/[\]}]/g)?.length ?? 0)
    if (depth < 0 || /["']/.test(plain.replaceAll('""', ''))) return false
    if (!isInside && plain.trim() !== '' && !/^\s*(?:\[.*\]\s*$|(?:[\w-]|\.|"")+\s*=)/.test(plain))
      return false
  }
  return depth === 0 && long === null
}

const GO_DIRECTIVE = /^(?:module|go|toolchain|godebug|require|exclude|replace|retract|tool|ignore)\b/

function isGoMod(lines: readonly string[]): boolean {
  let block = ''
  const isKnown = lines.every((written) => {
    const line = written.replace(/\/\/.*$/, '').trim()
    if (line === '') return true
    if (block !== '') {
      if (line === ')') block = ''
      else if (block === 'require') return /^\S+ +v\S+$/.test(line.replaceAll('\t', ' '))
      return true
    }
    const opened = /^(\w+)\s*\($/.exec(line)?.[1]
    if (opened !== undefined) block = opened
    if (/^require\s+[^(]/.test(line)) return /^require\s+\S+\s+v\S+$/.test(line)
    return GO_DIRECTIVE.test(line)
  })
  return isKnown && block === '' && lines.some((line) => /^\s*module\s+\S/.test(line))
}

/** Sections in capitals; packages with their version below `specs:`; a list of dependencies at the end. */
function isGemfileLock(lines: readonly string[]): boolean {
  let isSpecs = false
  const isKnown = lines.every((line) => {
    if (line.trim() === '') return true
    if (/^\S/.test(line)) {
      isSpecs = false
      return /^[A-Z][A-Z ]*$/.test(line.trim())
    }
    if (/^ {2}specs:\s*$/.test(line)) isSpecs = true
    return !isSpecs || !/^ {4}\S/.test(line) || /^ {4}[\w.-]+ \([^()]+\)\s*$/.test(line)
  })
  return isKnown && lines.some((line) => /^DEPENDENCIES\s*$/.test(line))
}

function isPubspecLock(lines: readonly string[]): boolean {
  const rest = lines.filter((line) => !isRemark(line))
  const starts = rest.flatMap((line, at) => (/^ {2}\w+:\s*$/.test(line) ? [at] : []))
  const section = (at: number) => rest.slice(0, at).findLast((line) => /^\S/.test(line)) ?? ''
  const isWhole = starts.every((at, place) => {
    if (!section(at).startsWith('packages:')) return true
    const entry = rest.slice(at + 1, starts[place + 1] ?? rest.length)
    return entry.some((line) => /^ {4}version: "[^"]+"\s*$/.test(line))
  })
  return isWhole && rest.some((line) => /^packages:/.test(line)) && rest.some((line) => /^sdks?:/.test(line))
}

const TAG =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<[?!][^>]*>|<(\/?)([\w:.-]+)((?:"[^"<]*"|'[^'<]*'|[^<>"'])*)>|</g

/** Every element ends, and there is one. */
function isXml(lines: readonly string[]): boolean {
  const open: string[] = []
  let elements = 0
  for (const [all, slash, name, rest = ''] of lines.join('\n').matchAll(TAG)) {
    if (name === undefined) {
      if (all === '<' || (all.startsWith('<!--') && !all.endsWith('-->'))) return false
      continue
    }
    elements += 1
    if (slash === '/') {
      if (open.pop() !== name) return false
    } else if (!rest.endsWith('/')) open.push(name)
  }
  return elements > 0 && open.length === 0
}

const REQUIREMENT =
  /^[A-Za-z0-9][\w.-]*\s*(?:\[[^\]]*\])?\s*(?:\(?\s*(?:(?:[<>]|[<>=!~]==?)\s*[^\s,;#()]+\s*,?\s*)*\)?|@\s*\S+)\s*(?:;.*)?(?:\s--\S.*)?(?:\s#.*)?$/
const OPTION_OR_ADDRESS =
  /^(?:-{1,2}\w|#|\.{0,2}(?:\/|$)|[A-Za-z]:\\|(?:[a-z]+\+)?[a-z]+:\/\/|file:|\$\{)|\.(?:whl|zip|tar\.gz)\b/

function areRequirements(lines: readonly string[]): boolean {
  return lines
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .every((line) => line === '' || OPTION_OR_ADDRESS.test(line) || REQUIREMENT.test(line))
}
