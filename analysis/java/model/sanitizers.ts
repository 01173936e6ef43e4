// Sanitizers and guards.

import { type SinkKind, UNTAINTED } from '../../abstract-value.ts'
import { sanitizes } from '../../engine/model-helpers.ts'
import { allTaints } from '../../engine/values/values.ts'
import type { CallModel, GuardModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

/** Encoders recognized by name, whatever library they come from. */
const ENCODERS: readonly (readonly [string, readonly SinkKind[]])[] = [
  [
    'encodeForJavaScript encodeForCSS encodeForXML encodeForXMLAttribute escapeHtml escapeHtml3 escapeHtml4 escapeHTML escapeXml escapeXml10 escapeXml11 ' +
      'escapeEcmaScript escapeJavaScript javaScriptEscape forHtml forHtmlContent forHtmlAttribute forHtmlUnquotedAttribute ' +
      'forJavaScript forJavaScriptAttribute forJavaScriptBlock forCssString forXml forXmlContent forXmlAttribute forCDATA ' +
      'htmlEncode encodeHtml encodeHTML sanitizeHtml stripHtml escapeForHtml filterHtml toHtmlSafe escapeJson',
    ['html'],
  ],
  // These encode everything except letters and digits, so no quote, slash or parenthesis remains.
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

export const sanitizerCalls: readonly CallModel[] = [
  ...ENCODERS.map(([names, sinks]) => ({
    name: names.split(' ').map((name) => `*.${name}`),
    returns: sanitizes(...sinks),
  })),
  { name: ['org.jsoup.Jsoup.clean', 'PolicyFactory#sanitize', '*.getCleanHTML'], returns: sanitizes('html') },
  {
    name: 'java.net.URLEncoder.encode',
    returns: sanitizes('html', 'url', 'header', 'redirect', 'path', 'sql', 'shell', 'xpath', 'key', 'code'),
  },
  { name: ['*.getFileName'], returns: sanitizes('path') },
  {
    name: ['org.apache.commons.io.FilenameUtils.getName', 'org.springframework.util.StringUtils.getFilename'],
    returns: sanitizes('path'),
  },
  { name: ['java.io.File#getName'], returns: sanitizes('path') },
  {
    name: ['*.digest', '*.doFinal', '*.sha256Hex', '*.md5Hex', '*.encodeHexString'],
    returns: sanitizes('all'),
  },
  // Decoding undoes an encoding, but not a check.
  {
    name: ['java.net.URLDecoder.decode', '*.uriDecode', '*.unescapeHtml*', '*.htmlUnescape'],
    returns: ({ arg }) => ({
      taints: allTaints(arg(0)?.value ?? UNTAINTED).map((taint) =>
        taint.sanitizedFor.has('all') ? taint : { ...taint, sanitizedFor: new Set<SinkKind>() },
      ),
    }),
  },
  // A function named as a sanitizer is trusted.
  {
    name: ['*.sanitize*', '*.escape*', '*.purify*', '*.whitelist*', '*.stripXSS*', '*.cleanXSS*'],
    returns: sanitizes('all'),
  },
  { name: ['java.util.regex.Pattern.quote'], returns: sanitizes('regex') },
]

export const guards: readonly GuardModel[] = [
  {
    name: ['*.contains', '*.containsKey'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
    appliesTo: isUntaintedCollection,
  },
  {
    name: ['*.equalsIgnoreCase'],
    subject: 'receiver',
    when: true,
    sanitizes: ['all'],
    appliesTo: hasConstantArgument,
  },
  {
    name: ['*.equalsIgnoreCase'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
    appliesTo: hasConstantReceiver,
  },
  { name: ['*.matches'], subject: 'receiver', when: true, sanitizes: ['all'], appliesTo: isNarrow },
  {
    name: ['java.util.regex.Pattern.matches'],
    subject: 1,
    when: true,
    sanitizes: ['all'],
    appliesTo: isNarrow,
  },
  { name: ['*.startsWith'], subject: 'receiver', when: true, sanitizes: ['path'], appliesTo: isFolderPrefix },
  { name: ['*.startsWith'], subject: 'receiver', when: true, sanitizes: ['url'], appliesTo: isOrigin },
  {
    name: ['*.startsWith'],
    subject: 'receiver',
    when: false,
    sanitizes: ['redirect'],
    appliesTo: isTwoSlashes,
  },
  {
    name: ['*.contains'],
    subject: 'receiver',
    when: false,
    sanitizes: ['path'],
    appliesTo: testsParentSegment,
  },
  {
    name: ['*.isNumeric', '*.isAlphanumeric', '*.isAlpha', '*.isDigits', '*.isCreatable'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
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
    subject: 0,
    when: true,
    sanitizes: ['all'],
  },
  { name: ['*.isValidFileName', '*.isValidInput'], subject: 1, when: true, sanitizes: ['all'] },
  {
    name: ['java.lang.Character.isDigit', 'java.lang.Character.isLetterOrDigit'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
  },
]

/** An untainted collection. `contains` on a string only tests for a substring. */
function isUntaintedCollection({ receiver }: CallEvent): boolean {
  if (!receiver || allTaints(receiver).length > 0 || typeof receiver.known === 'string') return false
  return (
    receiver.fields !== undefined ||
    receiver.others !== undefined ||
    /(List|Set|Map|Collection)$/.test(receiver.type ?? '')
  )
}

function hasConstantArgument({ arg }: CallEvent): boolean {
  return typeof arg(0)?.value.known === 'string'
}

function hasConstantReceiver({ receiver }: CallEvent): boolean {
  return typeof receiver?.known === 'string'
}

/** `matches` is anchored. The allowed characters must not include special ones. */
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

/** A dot inside brackets is literal. */
const withoutDot = (inside: string): string => inside.replace(/\./g, '')

/** Called on a normalized path. */
function isFolderPrefix({ receiver, arg, source, expr }: CallEvent): boolean {
  const type = receiver?.type ?? ''
  const root = arg(0)?.value
  if (!root || root.taints.length > 0) return false
  if (/Path$/.test(type)) return true
  const asked = source(expr.callee.at)
  return /canonical|normali[sz]|realpath|absolute|resolved|safe/i.test(asked)
}

/** A prefix with a complete host: `https://api.example.com/`. */
function isOrigin({ arg }: CallEvent): boolean {
  return /^https?:\/\/[^/]+\/$/.test(String(arg(0)?.value.known ?? ''))
}

function isTwoSlashes({ arg }: CallEvent): boolean {
  return arg(0)?.value.known === '//'
}

function testsParentSegment({ arg }: CallEvent): boolean {
  return /^(\.\.[/\\]?|[/\\])$/.test(String(arg(0)?.value.known ?? ''))
}
