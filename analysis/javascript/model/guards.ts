// Guards: conditions that sanitize a value.

import type { AbstractValue, SinkKind } from '../../abstract-value.ts'
import type { GuardModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { matchesInFunction } from '../../rule-helpers/function-text.ts'
import { PATH_TYPE } from './node-library.ts'
import { regexOf, sinksExcludedByMatch } from './regex-characters.ts'

/** A regular expression sanitizes for the sinks whose special characters it excludes. One guard per sink. */
const REGEX_SINKS: readonly SinkKind[] = [
  'html',
  'shell',
  'sql',
  'path',
  'url',
  'redirect',
  'ldap',
  'xpath',
  'regex',
  'code',
  'header',
  'key',
]

export const guards: readonly GuardModel[] = [
  {
    name: ['*.includes', '*.has', '*.contains'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
    appliesTo: isUntaintedCollection,
  },
  {
    name: ['*.hasOwnProperty', 'Object.hasOwn', '*.propertyIsEnumerable'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
    appliesTo: isUntaintedCollection,
  },
  {
    name: ['Object.hasOwn', 'Object.prototype.hasOwnProperty.call', '*.hasOwnProperty.call', '*.call'],
    subject: 1,
    when: true,
    sanitizes: ['all'],
    appliesTo: isOwnKey,
  },
  { name: ['isNaN', 'Number.isNaN'], subject: 0, when: false, sanitizes: ['all'] },
  {
    name: ['Number.isInteger', 'Number.isSafeInteger', 'Number.isFinite', 'isFinite'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
  },
  {
    name: [
      'validator.isInt',
      'validator.isNumeric',
      'validator.isUUID',
      'validator.isAlphanumeric',
      'validator.isAlpha',
      'validator.isHexadecimal',
      'validator.isMongoId',
      'validator.isIn',
      'validator.isBoolean',
      'validator.isFloat',
      'validator.isMD5',
      'validator.isSlug',
      'uuid.validate',
      'mongoose.isValidObjectId',
      'mongoose.Types.ObjectId.isValid',
      '*.ObjectId.isValid',
      '*.isValidObjectId',
      '*.isUUID',
      'is-uuid.anyNonNil',
    ],
    subject: 0,
    when: true,
    sanitizes: ['all'],
  },
  {
    name: ['net.isIP', 'net.isIPv4', 'net.isIPv6', 'validator.isIP', 'validator.isFQDN', 'validator.isPort'],
    subject: 0,
    when: true,
    sanitizes: ['shell', 'sql', 'html', 'path', 'code', 'header'],
  },
  { name: ['validator.isEmail'], subject: 0, when: true, sanitizes: ['path', 'header'] },
  { name: ['*.startsWith'], subject: 'receiver', when: true, sanitizes: ['path'], appliesTo: isPrefixOfPath },
  {
    name: ['*.startsWith'],
    subject: 'receiver',
    when: true,
    sanitizes: ['redirect', 'url'],
    appliesTo: isPrefixOfUrl,
  },
  {
    name: ['*.startsWith', '*.indexOf', '*.lastIndexOf'],
    subject: 'receiver',
    when: true,
    sanitizes: ['redirect'],
    appliesTo: isLocalPathCheck,
  },
  {
    name: ['*.includes', '*.indexOf'],
    subject: 'receiver',
    when: false,
    sanitizes: ['redirect'],
    appliesTo: (event) => event.arg(0)?.value.known === '://' && matchesInFunction(event, DOUBLE_SLASH_CHECK),
  },
  {
    name: ['*.includes'],
    subject: 'receiver',
    when: false,
    sanitizes: ['redirect'],
    appliesTo: ({ arg }) => arg(0)?.value.known === '//',
  },
  {
    name: ['*.startsWith', '*.includes', '*.match'],
    subject: 'receiver',
    when: false,
    sanitizes: ['path'],
    appliesTo: testsParentSegment,
  },
  { name: ['*.test'], subject: 0, when: false, sanitizes: ['path'], appliesTo: testsParentByPattern },
  {
    name: ['is-path-inside', 'path-is-inside', '*.isPathInside', '*.isInside', '*.isSubpath'],
    subject: 0,
    when: true,
    sanitizes: ['path'],
  },
  ...REGEX_SINKS.flatMap((cleaning): GuardModel[] => [
    {
      name: ['*.test', '*.exec'],
      subject: 0,
      when: true,
      sanitizes: [cleaning],
      appliesTo: (event) => sanitizesFor(event.receiver, cleaning),
    },
    {
      name: ['*.match'],
      subject: 'receiver',
      when: true,
      sanitizes: [cleaning],
      appliesTo: (event) => sanitizesFor(event.arg(0)?.value, cleaning),
    },
  ]),
]

/** An untainted list, set or map. `includes` on a string only tests for a substring. */
function isUntaintedCollection({ receiver }: CallEvent): boolean {
  if (!receiver || receiver.taints.length > 0) return false
  return typeof receiver.known !== 'string' && receiver.type !== 'string' && !receiver.pieces
}

function isOwnKey(event: CallEvent): boolean {
  const object = event.arg(0)?.value
  const isAsked =
    event.method === 'hasOwn' || event.source(event.expr.callee.at).endsWith('hasOwnProperty.call')
  return isAsked && object !== undefined && object.taints.length === 0
}

/** A resolved path contains no `..`, so its prefix decides where it leads. */
function isPrefixOfPath(event: CallEvent): boolean {
  const root = event.arg(0)?.value
  const isOwn = root?.taints.every(({ origin }) => origin !== 'request')
  return event.receiver?.type === PATH_TYPE && isOwn === true && root?.known !== '/'
}

/** `/` alone also allows `//other-host`. An origin must end before the tainted part starts. */
function isPrefixOfUrl(event: CallEvent): boolean {
  const prefix = event.arg(0)?.value
  if (prefix === undefined || prefix.taints.some(({ origin }) => origin === 'request')) return false
  if (typeof prefix.known !== 'string') return true
  return /^https?:\/\/[^/]+\//.test(prefix.known) || /^\/[^/\\]/.test(prefix.known)
}

/** `x.startsWith('/')` in a function that also rejects `//`. */
function isLocalPathCheck(event: CallEvent): boolean {
  return event.arg(0)?.value.known === '/' && matchesInFunction(event, DOUBLE_SLASH_CHECK)
}

const DOUBLE_SLASH_CHECK =
  /(?:startsWith|indexOf|includes|search)\(\s*['"`]\/[/\\]|(?:\[1\]|charAt\(1\)|slice\(0,\s*2\)|substring\(0,\s*2\))\s*[!=]==?|\/\^(?:\\\/){2}|\[\\\/\\\\\]/

/** Only a normalized path has all its `..` at the start. */
function testsParentSegment(event: CallEvent): boolean {
  const what = event.arg(0)?.value
  if (event.method === 'startsWith' && event.receiver?.type !== PATH_TYPE) return false
  if (typeof what?.known === 'string') return what.known.startsWith('..') || what.known === './'
  return matchesParentSegment(what)
}

function testsParentByPattern({ receiver }: CallEvent): boolean {
  return matchesParentSegment(receiver)
}

const matchesParentSegment = (value: AbstractValue | null | undefined): boolean => {
  const source = regexOf(value)?.source
  return source !== undefined && /\\\.\\\.|\\\.\{2|\[\.\]\{2/.test(source)
}

function sanitizesFor(value: AbstractValue | null | undefined, cleaning: SinkKind): boolean {
  const pattern = regexOf(value)
  return pattern !== undefined && sinksExcludedByMatch(pattern.source, pattern.flags).includes(cleaning)
}
