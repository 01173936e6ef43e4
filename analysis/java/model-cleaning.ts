// What makes a value harmless: encoders, and the questions that only harmless values pass.

import type { Cleaning } from '../abstract-value.ts'
import { cleans } from '../engine/model-helpers.ts'
import { allTaints } from '../engine/values/values.ts'
import type { CallModel, GuardModel } from '../language-model.ts'
import type { CallEvent } from '../rule.ts'

/** An encoder is told by its name, whichever library it is from. */
const ENCODERS: readonly (readonly [string, readonly Cleaning[]])[] = [
  [
    'encodeForJavaScript encodeForCSS encodeForXML encodeForXMLAttribute escapeHtml escapeHtml3 escapeHtml4 escapeHTML escapeXml escapeXml10 escapeXml11 ' +
      'escapeEcmaScript escapeJavaScript javaScriptEscape forHtml forHtmlContent forHtmlAttribute forHtmlUnquotedAttribute ' +
      'forJavaScript forJavaScriptAttribute forJavaScriptBlock forCssString forXml forXmlContent forXmlAttribute forCDATA ' +
      'htmlEncode encodeHtml encodeHTML sanitizeHtml stripHtml escapeForHtml filterHtml toHtmlSafe escapeJson',
    ['html'],
  ],
  // Everything but letters and digits is encoded: no quote, no slash and no parenthesis is left.
  ['encodeForHTML encodeForHTMLAttribute', ['html', 'sql', 'ldap', 'xpath', 'path', 'shell']],
  ['htmlEscape htmlEscapeDecimal htmlEscapeHex', ['html', 'sql', 'xpath']],
  ['encodeForSQL escapeSql', ['sql']],
  [
    'encodeForLDAP encodeForDN filterEncode nameEncode escapeLDAPSearchFilter escapeLdap encodeFilterValue',
    ['ldap'],
  ],
  ['encodeForXPath', ['xpath']],
  ['encodeForOS', ['shell']],
  [
    'encodeForURL forUriComponent encodePathSegment encodeQueryParam encodeUriComponent',
    ['html', 'url', 'header', 'redirect', 'path', 'sql', 'shell', 'xpath', 'key'],
  ],
]

export const cleaningCalls: readonly CallModel[] = [
  ...ENCODERS.map(([names, tags]) => ({
    name: names.split(' ').map((name) => `*.${name}`),
    returns: cleans(...tags),
  })),
  { name: ['org.jsoup.Jsoup.clean', 'PolicyFactory#sanitize', '*.getCleanHTML'], returns: cleans('html') },
  {
    name: 'java.net.URLEncoder.encode',
    returns: cleans('html', 'url', 'header', 'redirect', 'path', 'sql', 'shell', 'xpath', 'key', 'code'),
  },
  { name: ['*.getFileName'], returns: cleans('path') },
  {
    name: ['org.apache.commons.io.FilenameUtils.getName', 'org.springframework.util.StringUtils.getFilename'],
    returns: cleans('path'),
  },
  { name: ['java.io.File#getName'], returns: cleans('path') },
  { name: ['*.digest', '*.doFinal', '*.sha256Hex', '*.md5Hex', '*.encodeHexString'], returns: cleans('all') },
  // Made for it by whoever wrote the code; what it lets through is not judged.
  {
    name: ['*.sanitize*', '*.escape*', '*.purify*', '*.whitelist*', '*.stripXSS*', '*.cleanXSS*'],
    returns: cleans('all'),
  },
  { name: ['java.util.regex.Pattern.quote'], returns: cleans('regex') },
]

export const guards: readonly GuardModel[] = [
  { name: ['*.contains', '*.containsKey'], about: 0, when: true, cleans: ['all'], holds: isOfOurs },
  { name: ['*.equalsIgnoreCase'], about: 'receiver', when: true, cleans: ['all'], holds: isGivenConstant },
  { name: ['*.equalsIgnoreCase'], about: 0, when: true, cleans: ['all'], holds: isAskedOfConstant },
  { name: ['*.matches'], about: 'receiver', when: true, cleans: ['all'], holds: isNarrow },
  { name: ['java.util.regex.Pattern.matches'], about: 1, when: true, cleans: ['all'], holds: isNarrow },
  { name: ['*.startsWith'], about: 'receiver', when: true, cleans: ['path'], holds: isFolder },
  { name: ['*.startsWith'], about: 'receiver', when: true, cleans: ['url'], holds: isOrigin },
  { name: ['*.startsWith'], about: 'receiver', when: false, cleans: ['redirect'], holds: isTwoSlashes },
  { name: ['*.contains'], about: 'receiver', when: false, cleans: ['path'], holds: isParentAsked },
  {
    name: ['*.isNumeric', '*.isAlphanumeric', '*.isAlpha', '*.isDigits', '*.isCreatable'],
    about: 0,
    when: true,
    cleans: ['all'],
  },
  {
    name: [
      '*.isValid*',
      '*.isSafe*',
      '*.isAllowed*',
      '*.isPermitted*',
      '*.isTrusted*',
      '*.isWhite*',
      '*.check*',
      '*.validate*',
      '*.verify*',
    ],
    about: 0,
    when: true,
    cleans: ['all'],
  },
  { name: ['*.isValidFileName', '*.isValidInput'], about: 1, when: true, cleans: ['all'] },
  {
    name: ['java.lang.Character.isDigit', 'java.lang.Character.isLetterOrDigit'],
    about: 0,
    when: true,
    cleans: ['all'],
  },
]

/** A list that nobody else fills: a text that contains something is another matter. */
function isOfOurs({ receiver }: CallEvent): boolean {
  if (!receiver || allTaints(receiver).length > 0 || typeof receiver.known === 'string') return false
  return (
    receiver.fields !== undefined ||
    receiver.others !== undefined ||
    /(List|Set|Map|Collection)$/.test(receiver.type ?? '')
  )
}

function isGivenConstant({ arg }: CallEvent): boolean {
  return typeof arg(0)?.value.known === 'string'
}

function isAskedOfConstant({ receiver }: CallEvent): boolean {
  return typeof receiver?.known === 'string'
}

/** Anchored by nature; what it lets through must be free of everything that means something elsewhere. */
function isNarrow({ arg }: CallEvent): boolean {
  const pattern = arg(0)?.value.known
  if (typeof pattern !== 'string') return false
  const rest = pattern
    .replace(/\\[dwAzZb]|\\p\{(Alnum|Alpha|Digit|L|N|Lower|Upper)\}/g, '')
    .replace(/\{\d+(,\d*)?\}|\(\?[:=!i]?/g, '')
  return !/(?<!\\)\.|\[\^|\\[SDW]|['"<>;&`$/]/.test(
    rest
      .replace(/^\^|\$$/g, '')
      .replace(/\\\./g, '')
      .replace(/\[[^\]^]*\]/g, withoutDot),
  )
}

/** Within brackets a dot is a dot. */
const withoutDot = (inside: string): string => inside.replace(/\./g, '')

/** Asked of a path that was made plain before. */
function isFolder({ receiver, arg, source, expr }: CallEvent): boolean {
  const type = receiver?.type ?? ''
  const root = arg(0)?.value
  if (!root || root.taints.length > 0) return false
  if (/Path$/.test(type)) return true
  const asked = source(expr.callee.at)
  return /canonical|normali[sz]|realpath|absolute|resolved|safe/i.test(asked)
}

/** With its host: `https://api.example.com/`. */
function isOrigin({ arg }: CallEvent): boolean {
  return /^https?:\/\/[^/]+\/$/.test(String(arg(0)?.value.known ?? ''))
}

function isTwoSlashes({ arg }: CallEvent): boolean {
  return arg(0)?.value.known === '//'
}

function isParentAsked({ arg }: CallEvent): boolean {
  return /^(\.\.[/\\]?|[/\\])$/.test(String(arg(0)?.value.known ?? ''))
}
