// Guards: conditions that sanitize a value.
import { isType } from '../../engine/name-patterns.ts'
import type { GuardModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { RESOLVED_PATH } from './paths.ts'

export const guards: readonly GuardModel[] = [
  {
    name: ['*.isdigit', '*.isalnum', '*.isalpha', '*.isdecimal', '*.isnumeric', '*.isidentifier'],
    subject: 'receiver',
    when: true,
    sanitizes: ['all'],
  },
  { name: 'isinstance', subject: 0, when: true, sanitizes: ['all'], appliesTo: isOfNumbers },
  { name: ['re.match', 're.fullmatch'], subject: 1, when: true, sanitizes: ['all'], appliesTo: isNarrow },
  {
    name: ['*.match', '*.fullmatch'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
    appliesTo: isNarrowCompiled,
  },
  { name: '*.is_relative_to', subject: 'receiver', when: true, sanitizes: ['path'] },
  { name: '*.relative_to', subject: 'receiver', when: true, sanitizes: ['path'] },
  { name: '*.startswith', subject: 'receiver', when: true, sanitizes: ['path'], appliesTo: isResolved },
  {
    name: '*.startswith',
    subject: 'receiver',
    when: true,
    sanitizes: ['url', 'redirect'],
    appliesTo: hasFixedHost,
  },
  {
    name: '*.__contains__',
    subject: 'receiver',
    when: false,
    sanitizes: ['path'],
    appliesTo: testsFor('..', '/', '../', '..\\', './'),
  },
  {
    name: '*.__contains__',
    subject: 'receiver',
    when: false,
    sanitizes: ['xpath', 'sql'],
    appliesTo: testsFor("'", '"'),
  },
  { name: '*.__contains__', subject: 'receiver', when: false, sanitizes: ['code'], appliesTo: isOneLiteral },
  {
    name: '*.__contains__',
    subject: 'receiver',
    when: false,
    sanitizes: ['redirect', 'url'],
    appliesTo: testsFor('://', '//', ':'),
  },
  {
    name: '*.__contains__',
    subject: 'receiver',
    when: false,
    sanitizes: ['header'],
    appliesTo: testsFor('\n', '\r'),
  },
  {
    name: ['*.url_has_allowed_host_and_scheme', '*.is_safe_url', '*.is_safe_redirect*'],
    subject: 0,
    when: true,
    sanitizes: ['redirect', 'url'],
  },
  {
    name: ['is_safe_url', 'is_safe_redirect_url', 'is_safe_redirect'],
    subject: 0,
    when: true,
    sanitizes: ['redirect', 'url'],
  },
  {
    name: [
      '*.is_valid_*',
      '*.validate_*',
      '*.is_allowed*',
      '*.is_safe_*',
      '*.allowed_*',
      '*.is_valid',
      '*.is_safe',
    ],
    subject: 0,
    when: true,
    sanitizes: ['all'],
  },
]

function isOfNumbers(event: CallEvent): boolean {
  const type = event.arg(1)
  return (
    type !== undefined &&
    /^\(?\s*(?:int|float|bool|uuid\.UUID|UUID|Decimal)\b[^a-z]*/.test(event.source(type.expr.at))
  )
}

/** The whole string must match, and only letters, digits and similar characters are allowed. */
function isNarrow(event: CallEvent): boolean {
  const pattern = event.arg(0)?.value.known
  return typeof pattern === 'string' && isNarrowPattern(pattern, event.method === 'fullmatch')
}

function isNarrowCompiled(event: CallEvent): boolean {
  const source = event.receiver?.fields?.get('pattern')?.known
  return typeof source === 'string' && isNarrowPattern(source, event.method === 'fullmatch')
}

export function isNarrowPattern(pattern: string, isWhole: boolean): boolean {
  if (!isWhole && !/(?:\$|\\Z)\)?$/.test(pattern)) return false
  const loose = pattern.replace(/\\[.\-_/]/g, '')
  return !/\\[WSD]|\[\^|(?<!\\)\.|;|&|<|`/.test(loose)
}

/** A prefix decides where a path leads only after `..` was resolved. */
function isResolved({ receiver }: CallEvent): boolean {
  return isType(receiver?.type, RESOLVED_PATH)
}

/**
 * `https://host/`, with the slash that ends the host. A path on the same site starts with one slash, not
 * two.
 */
function hasFixedHost(event: CallEvent): boolean {
  const beginning = event.arg(0)?.value.known
  return typeof beginning === 'string' && /^https?:\/\/[^/]+\//.test(beginning)
}

const CONDITION_LENGTH = 300

/** The text between a first and a last quote, without a quote inside: a single string literal. */
function isOneLiteral({ arg, expr, text }: CallEvent): boolean {
  const quote = arg(0)?.value.known
  if (quote !== "'" && quote !== '"') return false
  const condition = text.slice(Math.max(0, expr.at.start - CONDITION_LENGTH), expr.at.end + CONDITION_LENGTH)
  const written = `(?:\\\\?${quote})`
  return ['startswith', 'endswith'].every((method) =>
    new RegExp(`\\.${method}\\(\\s*['"]${written}['"]\\s*\\)`).test(condition),
  )
}

/** A string without these characters cannot break out of its context. */
function testsFor(...wanted: readonly string[]): (event: CallEvent) => boolean {
  return (event) => {
    const part = event.arg(0)?.value.known
    return typeof part === 'string' && wanted.includes(part)
  }
}
