// String functions.

import { type AbstractValue, type SinkKind, UNTAINTED } from '../../abstract-value.ts'
import { evaluatesStrings, propagates, returnsUntainted, sanitizes } from '../../engine/model-helpers.ts'
import { allTaints, concat, constantValue, itemsOf, sanitize } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { ESCAPED_STRING_TYPE } from '../../rule-helpers/sql-interpolations.ts'
import { filtered } from './requests.ts'
import { words } from './values.ts'

export const stringCalls: readonly CallModel[] = [
  { name: 'strtolower', returns: evaluatesStrings((value) => value?.toLowerCase()) },
  { name: 'strtoupper', returns: evaluatesStrings((value) => value?.toUpperCase()) },
  {
    name: 'trim',
    returns: evaluatesStrings((value, ...more) => (more.length === 0 ? value?.trim() : undefined)),
  },
  {
    name: words(
      `ltrim rtrim chop ucfirst lcfirst ucwords substr mb_substr mb_strtolower mb_strtoupper nl2br addslashes strrev strval
       utf8_encode utf8_decode iconv mb_convert_encoding urldecode rawurldecode base64_decode html_entity_decode wordwrap
       htmlspecialchars_decode json_decode array_values array_filter array_unique array_reverse array_slice end reset current
       array_shift array_pop str_pad str_repeat strstr stristr strrchr dirname chunk_split strtok wp_unslash
       array_merge array_replace array_change_key_case serialize array_diff parse_url pathinfo`,
    ),
    returns: (event) => propagates(...event.args.map((_, index) => index))(event),
  },
  { name: ['explode', 'preg_split', 'str_split'], returns: split },
  { name: ['implode', 'join'], returns: joined },
  { name: ['sprintf', 'vsprintf'], returns: formatted },
  { name: ['str_replace', 'str_ireplace', 'strtr'], returns: replaced },
  { name: ['preg_replace'], returns: stripped },
  {
    name: words(
      `intval floatval boolval doubleval count sizeof strlen mb_strlen strcmp strcasecmp strncmp is_numeric is_int is_string
       is_array is_null ctype_digit ctype_alnum ctype_alpha ctype_xdigit in_array array_key_exists isset empty strpos stripos
       strrpos mb_strpos str_contains str_starts_with str_ends_with preg_match preg_match_all md5 sha1 hash hash_hmac crc32
       password_hash password_verify hash_equals crypt bin2hex random_bytes random_int rand mt_rand uniqid time date microtime
       strtotime mktime round floor ceil abs min max number_format filesize filemtime file_exists is_file is_dir is_readable
       array_search array_sum levenshtein similar_text absint is_writable checkdate ip2long inet_pton mysqli_num_rows
       sanitize_key sanitize_html_class wp_create_nonce wp_verify_nonce current_user_can check_admin_referer is_object gettype
       is_email ord sys_get_temp_dir tempnam getenv ini_get spl_object_id memory_get_usage date_create`,
    ),
    returns: returnsUntainted(),
  },
  {
    name: words(
      `htmlspecialchars htmlentities esc_html esc_attr esc_textarea esc_js wp_kses wp_kses_post wp_kses_data esc_html__
       filter_xss check_plain e h html_escape wp_strip_all_tags esc_xml`,
    ),
    returns: sanitizes('html'),
  },
  { name: ['strip_tags'], returns: sanitizes('html') },
  { name: ['esc_url', 'esc_url_raw', 'sanitize_url'], returns: sanitizes('html') },
  { name: ['wp_validate_redirect', 'wp_sanitize_redirect'], returns: sanitizes('redirect', 'url', 'header') },
  {
    name: ['sanitize_text_field', 'sanitize_textarea_field', 'sanitize_title'],
    returns: sanitizes('html', 'header'),
  },
  { name: ['sanitize_file_name'], returns: sanitizes('path', 'html', 'shell', 'header') },
  {
    name: ['sanitize_email', 'sanitize_user', 'sanitize_title_with_dashes'],
    returns: sanitizes('html', 'path', 'header'),
  },
  {
    name: ['urlencode', 'rawurlencode', 'http_build_query'],
    returns: sanitizes('url', 'html', 'sql', 'shell', 'header', 'redirect', 'ldap', 'xpath', 'code'),
  },
  {
    name: ['base64_encode', 'bin2hex', 'dechex'],
    returns: sanitizes('sql', 'html', 'shell', 'header', 'code', 'xpath', 'ldap'),
  },
  // JSON is not HTML, and inside HTML its slashes in closing tags are escaped.
  { name: ['json_encode', 'wp_json_encode'], returns: sanitizes('html') },
  { name: ['escapeshellarg', 'escapeshellcmd'], returns: sanitizes('shell') },
  {
    name: words(
      'mysqli_real_escape_string mysql_real_escape_string mysqli_escape_string pg_escape_string pg_escape_literal esc_sql sqlite_escape_string mysql_escape_string db_escape_string pg_escape_identifier',
    ),
    returns: (event) => ({ ...(sanitizes('sql')(event) ?? UNTAINTED), type: ESCAPED_STRING_TYPE }),
  },
  {
    name: [
      '*.quote',
      '*.real_escape_string',
      '*.escape_string',
      '*.escapeString',
      '*.quoteIdentifier',
      '*.quoteInto',
      '*.escapeSimple',
      '*._escape',
      '*.esc_like',
      '*.quoteName',
      '*.escape',
      '*.quoteString',
      '*.fullEscape',
    ],
    returns: sanitizes('sql'),
  },
  { name: ['*.prepare'], returns: prepared },
  { name: ['ldap_escape'], returns: sanitizes('ldap') },
  { name: ['preg_quote'], returns: sanitizes('regex') },
  { name: ['basename'], returns: sanitizes('path') },
  { name: ['filter_var'], returns: filteredValue },
  { name: ['settype'], returns: returnsUntainted() },
  { name: ['*.purify'], returns: sanitizes('html') },
  { name: ['compact'], returns: returnsUntainted() },
]

/** A prepared statement receives its values separately. WordPress inserts them escaped. */
function prepared(event: CallEvent): AbstractValue | undefined {
  const statement = event.arg(0)?.value ?? UNTAINTED
  const isWordpress = /wpdb/.test(
    event.expr.callee.kind === 'member' ? event.source(event.expr.callee.object.at) : '',
  )
  return isWordpress ? { taints: allTaints(statement) } : undefined
}

function split(event: CallEvent): AbstractValue {
  const value = event.arg(1)?.value ?? UNTAINTED
  return { taints: [], others: { taints: allTaints(value) } }
}

function joined(event: CallEvent): AbstractValue {
  const [one, other] = [event.arg(0)?.value ?? UNTAINTED, event.arg(1)?.value ?? UNTAINTED]
  const list = one.fields || one.others ? one : other
  const separator = list === one ? other : one
  const { size, fields, others } = list
  if (size === undefined || !fields || others) return { taints: allTaints(itemsOf(list)) }
  const items = Array.from({ length: size }, (_, index) => fields.get(String(index)) ?? UNTAINTED)
  return concat(items.flatMap((item, index) => (index === 0 ? [item] : [separator, item])))
}

const VERB = /%(?:\d+\$)?[-+ 0]*(?:'.)?\d*(?:\.\d+)?([a-zA-Z%])/g

/** `%d` and similar verbs print numbers; `%s` prints any text. */
function formatted({ args, name }: CallEvent): AbstractValue {
  const format = args[0]?.value.known
  const values = name === 'vsprintf' ? [] : args.slice(1)
  if (typeof format !== 'string' || name === 'vsprintf')
    return { taints: args.flatMap(({ value }) => allTaints(value)) }
  const parts: AbstractValue[] = []
  let last = 0
  let next = 0
  for (const match of format.matchAll(VERB)) {
    parts.push(constantValue(format.slice(last, match.index)))
    last = match.index + match[0].length
    const place = /^%(\d+)\$/.exec(match[0])?.[1]
    const value =
      (match[1] === '%' ? undefined : values[place ? Number(place) - 1 : next++]?.value) ?? UNTAINTED
    if (match[1] === '%') parts.push(constantValue('%'))
    else parts.push(match[1] === 's' ? value : { taints: [], type: 'number' })
  }
  parts.push(constantValue(format.slice(last)))
  return concat(parts)
}

function replaced(event: CallEvent): AbstractValue {
  const search = event.arg(0)
  const subject = event.method === 'strtr' ? search?.value : event.arg(2)?.value
  const value: AbstractValue = { taints: allTaints(subject ?? UNTAINTED) }
  const written = search ? event.source(search.expr.at) : ''
  const sinks: SinkKind[] = []
  if (event.method !== 'strtr' && /"\\[rn]"|chr\(1[03]\)|PHP_EOL/.test(written)) sinks.push('header')
  if (event.method !== 'strtr' && /^\[?\s*['"]\.\.['"]/.test(written)) sinks.push('path')
  if (event.method !== 'strtr' && /['"](\/|\\\\)['"]/.test(written)) sinks.push('path')
  if (event.method !== 'strtr' && /['"]<['"]/.test(written)) sinks.push('html')
  return sanitize(value, sinks)
}

/** A replacement that keeps only safe characters. */
function stripped(event: CallEvent): AbstractValue {
  const pattern = event.arg(0)?.value.known
  const value: AbstractValue = { taints: allTaints(event.arg(2)?.value ?? UNTAINTED) }
  if (typeof pattern !== 'string') return value
  const plain = pattern
    .replaceAll('\\w', 'a')
    .replaceAll('\\d', '0')
    .replaceAll('\\s', ' ')
    .replaceAll('\\-', '-')
    .replaceAll('\\.', '.')
  if (/^[/#~@|]\[\^[\w\s-]+\][+*]?[/#~@|][a-z]*$/.test(plain)) return UNTAINTED
  if (/^[/#~@|]\[\^[\w\s.-]+\][+*]?[/#~@|][a-z]*$/.test(plain))
    return sanitize(value, ['html', 'sql', 'shell', 'path', 'header', 'code'])
  return /\\[rn]/.test(pattern) ? sanitize(value, ['header']) : value
}

function filteredValue(event: CallEvent): AbstractValue {
  const value: AbstractValue = { taints: allTaints(event.arg(0)?.value ?? UNTAINTED) }
  if (value.taints.length === 0) return value
  const judged = filtered(event)
  const [taint] = judged.taints
  return taint ? sanitize(value, [...taint.sanitizedFor]) : UNTAINTED
}
