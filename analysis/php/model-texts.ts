// What functions of PHP do to texts.

import { CLEAN, type Cleaning, type Value } from '../abstract-value.ts'
import { cleans, constant, passes, text } from '../engine/model-helpers.ts'
import { allTaints, cleaned, concat, itemsOf, known } from '../engine/values/values.ts'
import type { CallModel } from '../language-model.ts'
import type { CallEvent } from '../rule.ts'
import { ESCAPED } from '../rule-helpers/sql-interpolations.ts'
import { filtered } from './model-request.ts'
import { words } from './values.ts'

export const textCalls: readonly CallModel[] = [
  { name: 'strtolower', returns: text((value) => value?.toLowerCase()) },
  { name: 'strtoupper', returns: text((value) => value?.toUpperCase()) },
  { name: 'trim', returns: text((value, ...more) => (more.length === 0 ? value?.trim() : undefined)) },
  {
    name: words(
      `ltrim rtrim chop ucfirst lcfirst ucwords substr mb_substr mb_strtolower mb_strtoupper nl2br addslashes strrev strval
       utf8_encode utf8_decode iconv mb_convert_encoding urldecode rawurldecode base64_decode html_entity_decode wordwrap
       htmlspecialchars_decode json_decode array_values array_filter array_unique array_reverse array_slice end reset current
       array_shift array_pop str_pad str_repeat strstr stristr strrchr dirname chunk_split strtok wp_unslash
       array_merge array_replace array_change_key_case serialize array_diff parse_url pathinfo`,
    ),
    returns: (event) => passes(...event.args.map((_, index) => index))(event),
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
    returns: constant(),
  },
  {
    name: words(
      `htmlspecialchars htmlentities esc_html esc_attr esc_textarea esc_js wp_kses wp_kses_post wp_kses_data esc_html__
       filter_xss check_plain e h html_escape wp_strip_all_tags esc_xml`,
    ),
    returns: cleans('html'),
  },
  { name: ['strip_tags'], returns: cleans('html') },
  { name: ['esc_url', 'esc_url_raw', 'sanitize_url'], returns: cleans('html') },
  { name: ['wp_validate_redirect', 'wp_sanitize_redirect'], returns: cleans('redirect', 'url', 'header') },
  {
    name: ['sanitize_text_field', 'sanitize_textarea_field', 'sanitize_title'],
    returns: cleans('html', 'header'),
  },
  { name: ['sanitize_file_name'], returns: cleans('path', 'html', 'shell', 'header') },
  {
    name: ['sanitize_email', 'sanitize_user', 'sanitize_title_with_dashes'],
    returns: cleans('html', 'path', 'header'),
  },
  {
    name: ['urlencode', 'rawurlencode', 'http_build_query'],
    returns: cleans('url', 'html', 'sql', 'shell', 'header', 'redirect', 'ldap', 'xpath', 'code'),
  },
  {
    name: ['base64_encode', 'bin2hex', 'dechex'],
    returns: cleans('sql', 'html', 'shell', 'header', 'code', 'xpath', 'ldap'),
  },
  // An answer in JSON is no page, and inside of one the slashes of closing tags are escaped.
  { name: ['json_encode', 'wp_json_encode'], returns: cleans('html') },
  { name: ['escapeshellarg', 'escapeshellcmd'], returns: cleans('shell') },
  {
    name: words(
      'mysqli_real_escape_string mysql_real_escape_string mysqli_escape_string pg_escape_string pg_escape_literal esc_sql sqlite_escape_string mysql_escape_string db_escape_string pg_escape_identifier',
    ),
    returns: (event) => ({ ...(cleans('sql')(event) ?? CLEAN), type: ESCAPED }),
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
    returns: cleans('sql'),
  },
  { name: ['*.prepare'], returns: prepared },
  { name: ['ldap_escape'], returns: cleans('ldap') },
  { name: ['preg_quote'], returns: cleans('regex') },
  { name: ['basename'], returns: cleans('path') },
  { name: ['filter_var'], returns: filteredValue },
  { name: ['settype'], returns: constant() },
  { name: ['*.purify'], returns: cleans('html') },
  { name: ['compact'], returns: constant() },
]

/** A statement that is prepared takes its values apart from its text. WordPress puts them in itself, escaped. */
function prepared(event: CallEvent): Value | undefined {
  const statement = event.arg(0)?.value ?? CLEAN
  const isWordpress = /wpdb/.test(
    event.expr.callee.kind === 'member' ? event.source(event.expr.callee.object.at) : '',
  )
  return isWordpress ? { taints: allTaints(statement) } : undefined
}

function split(event: CallEvent): Value {
  const value = event.arg(1)?.value ?? CLEAN
  return { taints: [], others: { taints: allTaints(value) } }
}

function joined(event: CallEvent): Value {
  const [one, other] = [event.arg(0)?.value ?? CLEAN, event.arg(1)?.value ?? CLEAN]
  const list = one.fields || one.others ? one : other
  const separator = list === one ? other : one
  const { size, fields, others } = list
  if (size === undefined || !fields || others) return { taints: allTaints(itemsOf(list)) }
  const items = Array.from({ length: size }, (_, index) => fields.get(String(index)) ?? CLEAN)
  return concat(items.flatMap((item, index) => (index === 0 ? [item] : [separator, item])))
}

const VERB = /%(?:\d+\$)?[-+ 0]*(?:'.)?\d*(?:\.\d+)?([a-zA-Z%])/g

/** `%d` and its like print numbers; `%s` whatever it is given. */
function formatted({ args, name }: CallEvent): Value {
  const format = args[0]?.value.known
  const values = name === 'vsprintf' ? [] : args.slice(1)
  if (typeof format !== 'string' || name === 'vsprintf')
    return { taints: args.flatMap(({ value }) => allTaints(value)) }
  const parts: Value[] = []
  let last = 0
  let next = 0
  for (const match of format.matchAll(VERB)) {
    parts.push(known(format.slice(last, match.index)))
    last = match.index + match[0].length
    const place = /^%(\d+)\$/.exec(match[0])?.[1]
    const value = (match[1] === '%' ? undefined : values[place ? Number(place) - 1 : next++]?.value) ?? CLEAN
    if (match[1] === '%') parts.push(known('%'))
    else parts.push(match[1] === 's' ? value : { taints: [], type: 'number' })
  }
  parts.push(known(format.slice(last)))
  return concat(parts)
}

function replaced(event: CallEvent): Value {
  const search = event.arg(0)
  const subject = event.method === 'strtr' ? search?.value : event.arg(2)?.value
  const value: Value = { taints: allTaints(subject ?? CLEAN) }
  const written = search ? event.source(search.expr.at) : ''
  const tags: Cleaning[] = []
  if (event.method !== 'strtr' && /"\\[rn]"|chr\(1[03]\)|PHP_EOL/.test(written)) tags.push('header')
  if (event.method !== 'strtr' && /^\[?\s*['"]\.\.['"]/.test(written)) tags.push('path')
  if (event.method !== 'strtr' && /['"](\/|\\\\)['"]/.test(written)) tags.push('path')
  if (event.method !== 'strtr' && /['"]<['"]/.test(written)) tags.push('html')
  return cleaned(value, tags)
}

/** A replacement of everything that is not on a list of harmless signs. */
function stripped(event: CallEvent): Value {
  const pattern = event.arg(0)?.value.known
  const value: Value = { taints: allTaints(event.arg(2)?.value ?? CLEAN) }
  if (typeof pattern !== 'string') return value
  const plain = pattern
    .replaceAll('\\w', 'a')
    .replaceAll('\\d', '0')
    .replaceAll('\\s', ' ')
    .replaceAll('\\-', '-')
    .replaceAll('\\.', '.')
  if (/^[/#~@|]\[\^[\w\s-]+\][+*]?[/#~@|][a-z]*$/.test(plain)) return CLEAN
  if (/^[/#~@|]\[\^[\w\s.-]+\][+*]?[/#~@|][a-z]*$/.test(plain))
    return cleaned(value, ['html', 'sql', 'shell', 'path', 'header', 'code'])
  return /\\[rn]/.test(pattern) ? cleaned(value, ['header']) : value
}

function filteredValue(event: CallEvent): Value {
  const value: Value = { taints: allTaints(event.arg(0)?.value ?? CLEAN) }
  if (value.taints.length === 0) return value
  const judged = filtered(event)
  const [taint] = judged.taints
  return taint ? cleaned(value, [...taint.cleaned]) : CLEAN
}
