// Methods of strings, collections and numbers, and functions that escape.

import { type AbstractValue, type SinkKind, UNTAINTED } from '../../abstract-value.ts'
import {
  evaluatesStrings,
  propagates,
  returnsArgument,
  returnsUntainted,
  sanitizes,
} from '../../engine/model-helpers.ts'
import {
  allTaints,
  concat,
  constantValue,
  itemsOf,
  sanitize,
  withOthers,
} from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { onAny, words } from './values.ts'

export const stringCalls: readonly CallModel[] = [
  { name: '*.downcase', returns: evaluatesStrings((value) => value?.toLowerCase()) },
  { name: '*.upcase', returns: evaluatesStrings((value) => value?.toUpperCase()) },
  {
    name: onAny(
      `to_s to_str to_sym strip lstrip rstrip chomp chop squeeze capitalize swapcase titleize titlecase humanize reverse dup clone freeze
       presence itself to_a to_ary entries compact flatten uniq sort reverse_each force_encoding encode unicode_normalize scrub b
       strip! chomp! downcase! upcase! squish then_some html_safe to_json read string rewind gets each_char chars lines bytes sum
       deep_dup with_indifferent_access symbolize_keys stringify_keys first last sample shuffle compact_blank to_set lazy
       deep_symbolize_keys deep_stringify_keys to_h values underscore camelize classify pluralize singularize tableize dasherize`,
    ),
    returns: kept,
  },
  {
    name: onAny(
      `slice byteslice [] truncate center ljust rjust unpack unpack1 delete tr tr_s delete_prefix delete_suffix succ next split partition rpartition
       scan insert prepend values_at fetch dig take drop or_else try slice! sub! gsub! concat`,
    ),
    returns: part,
  },
  { name: onAny('gsub sub'), returns: replaced },
  { name: ['*.join'], returns: joined },
  { name: ['*.<<'], returns: appended, receiver: appended },
  { name: ['format', 'sprintf', 'Kernel.format', 'Kernel.sprintf'], returns: formatted },
  { name: ['String', 'Array', 'Kernel.String', 'Kernel.Array'], returns: returnsArgument(0) },
  { name: ['Integer', 'Float', 'Rational', 'BigDecimal', 'Kernel.Integer', 'Kernel.Float'], returns: number },
  {
    name: onAny(
      'to_i to_f to_d to_r to_c to_date to_time to_datetime to_bool ord hex oct abs round floor ceil',
    ),
    returns: number,
  },
  {
    name: onAny(
      `length size count bytesize empty? blank? present? nil? zero? positive? negative? any? all? none? include? member? key? has_key?
       has_value? value? start_with? end_with? match? =~ eql? equal? is_a? kind_of? instance_of? respond_to? casecmp casecmp? index
       rindex hash object_id valid? exist? exists? file? directory? between? cover? in? frozen? even? odd? hexdigest digest
       base64digest crypt authenticate valid_password? persisted? new_record? destroy delete_all destroy_all update_all save save!
       id created_at updated_at errors class name_changed?`,
    ),
    returns: returnsUntainted(),
  },
  {
    name: words(
      'rand srand sleep SecureRandom.hex SecureRandom.uuid SecureRandom.random_number SecureRandom.urlsafe_base64 Time.now Time.current Date.today Dir.pwd Dir.tmpdir Rails.root',
    ),
    returns: returnsUntainted(),
  },
  // Escaping.
  {
    name: words(
      `h html_escape html_escape_once escape_html ERB.Util.html_escape ERB.Util.h ERB.Util.url_encode CGI.escapeHTML CGI.escape_html
       Rack.Utils.escape_html sanitize strip_tags strip_links j escape_javascript json_escape ERB.Util.json_escape
       Sanitize.fragment Sanitize.clean Loofah.fragment Loofah.scrub_fragment ActionController.Base.helpers.sanitize
       ActionController.Base.helpers.strip_tags helpers.sanitize helpers.strip_tags CGI.h simple_format`,
    ),
    returns: sanitizes('html'),
  },
  {
    name: [
      'CGI.escape',
      'URI.encode_www_form_component',
      'URI.encode_www_form',
      'Rack.Utils.escape',
      'ERB.Util.u',
      '*.to_query',
      '*.to_param',
      'u',
      'url_encode',
    ],
    returns: sanitizes('html', 'url', 'redirect', 'path', 'shell', 'header', 'sql'),
  },
  {
    name: [
      'Shellwords.escape',
      'Shellwords.shellescape',
      'Shellwords.join',
      'Shellwords.shelljoin',
      '*.shellescape',
      '*.shelljoin',
    ],
    returns: sanitizes('shell'),
  },
  { name: ['File.basename', 'Zaru.sanitize!', '*.sanitized_filename', '*.basename'], returns: basename },
  { name: ['*.parameterize', '*.sanitize_filename', 'sanitize_filename'], returns: sanitizes('all') },
  { name: 'Regexp.escape', returns: sanitizes('regex') },
  { name: ['Regexp.quote', 'Regexp.union'], returns: sanitizes('regex') },
  { name: ['Net.LDAP.Filter.escape'], returns: sanitizes('ldap') },
  { name: ['Net.LDAP.Filter.eq', 'Net.LDAP.Filter.equals'], returns: returnsUntainted() },
  {
    name: onAny(
      `quote quote_value quote_string quote_column_name quote_table_name sanitize_sql sanitize_sql_array sanitize_sql_for_conditions
       sanitize_sql_like sanitize_sql_for_order sanitize_sql_hash_for_conditions escape escape_string escape_literal escape_identifier literal`,
    ),
    returns: sanitizes('sql'),
  },
  {
    name: words(
      'sanitize_sql sanitize_sql_array sanitize_sql_for_conditions sanitize_sql_for_order sanitize_sql_like quote',
    ),
    returns: sanitizes('sql'),
  },
  // Decoding keeps the taint.
  {
    name: words(
      `Base64.decode64 Base64.strict_decode64 Base64.urlsafe_decode64 Base64.encode64 Base64.strict_encode64 JSON.parse JSON.load JSON.dump
       CGI.unescape CGI.unescapeHTML URI.decode_www_form_component URI.parse URI URI.join Addressable.URI.parse Pathname Pathname.new
       StringIO ActiveSupport.JSON.decode YAML.safe_load Rack.Utils.parse_query Rack.Utils.parse_nested_query MultiJson.load Oj.safe_load
       File.join File.expand_path File.absolute_path Rails.root.join File.realpath Hash ActiveSupport.HashWithIndifferentAccess`,
    ),
    returns: path,
  },
  {
    name: [
      '*.join_path',
      '*.cleanpath',
      '*.realpath',
      '*.expand_path',
      '*.to_path',
      '*.sub_ext',
      '*.relative_path_from',
      '*.normalize',
    ],
    returns: kept,
  },
]

/** The same text in another form. */
function kept({ receiver }: CallEvent): AbstractValue {
  if (!receiver) return UNTAINTED
  return receiver.callable ? UNTAINTED : receiver
}

function part(event: CallEvent): AbstractValue | undefined {
  const { receiver } = event
  if (!receiver || receiver.type === 'Parameters' || receiver.fields || receiver.others) return undefined
  return { taints: allTaints(receiver) }
}

/** A number. A constant keeps its value. */
function number(event: CallEvent): AbstractValue {
  const value = event.receiver ?? event.arg(0)?.value
  return typeof value?.known === 'number' ? value : { taints: [], type: 'number' }
}

function joined(event: CallEvent): AbstractValue | undefined {
  const { receiver } = event
  if (!receiver) return undefined
  // `Pathname#join`
  if (!receiver.fields && !receiver.others && receiver.taints.length === 0)
    return { taints: event.args.flatMap(({ value }) => allTaints(value)) }
  const separator = event.arg(0)?.value ?? constantValue('')
  const { size, fields, others } = receiver
  if (size === undefined || !fields || others) return { taints: allTaints(receiver), type: 'string' }
  const items = Array.from({ length: size }, (_, index) => fields.get(String(index)) ?? UNTAINTED)
  return concat(items.flatMap((item, index) => (index === 0 ? [item] : [separator, item])))
}

/** `list << item` and `text << part`. */
function appended(event: CallEvent): AbstractValue | undefined {
  const { receiver } = event
  const item = event.arg(0)?.value ?? UNTAINTED
  if (!receiver) return undefined
  if (receiver.type === 'list' || receiver.fields || receiver.others) return withOthers(receiver, item)
  return concat([receiver, item])
}

/** These wrap their argument, so the text around an inserted value stays known. */
const WRAPS = /^(?:URI|URI\.parse|Addressable\.URI\.parse|Pathname|Pathname\.new|StringIO)$/

function path(event: CallEvent): AbstractValue {
  const [only] = event.args
  if (only && event.args.length === 1 && WRAPS.test(event.name))
    return { ...only.value, name: `${event.name}()` }
  if (/^(?:File\.join|Rails\.root\.join)$/.test(event.name))
    return concat(
      event.args.flatMap(({ value, isSpread }, index) => {
        const item = isSpread ? itemsOf(value) : value
        return index === 0 && event.name === 'File.join' ? [item] : [constantValue('/'), item]
      }),
    )
  return propagates(...event.args.map((_, index) => index))(event) ?? UNTAINTED
}

/** `File.basename` removes folders. */
function basename(event: CallEvent): AbstractValue | undefined {
  const value = event.receiver && event.args.length === 0 ? event.receiver : event.arg(0)?.value
  return value && sanitize({ taints: allTaints(value) }, ['path'])
}

const VERB = /%[-+ 0#]*\d*(?:\.\d+)?(?:<\w+>|\{\w+\})?([a-zA-Z%])?/g

function formatted({ args }: CallEvent): AbstractValue {
  const format = args[0]?.value.known
  const values = args.slice(1)
  if (typeof format !== 'string') return { taints: args.flatMap(({ value }) => allTaints(value)) }
  const parts: AbstractValue[] = []
  let [last, next] = [0, 0]
  for (const match of format.matchAll(VERB)) {
    parts.push(constantValue(format.slice(last, match.index)))
    last = match.index + match[0].length
    const name = /[<{](\w+)[>}]/.exec(match[0])?.[1]
    const given = name ? values.find((each) => each.name === name)?.value : values[next]?.value
    if (match[1] === '%') parts.push(constantValue('%'))
    else {
      if (!name) next += 1
      parts.push(/[dioxfeg]/i.test(match[1] ?? 's') ? { taints: [], type: 'number' } : (given ?? UNTAINTED))
    }
  }
  parts.push(constantValue(format.slice(last)))
  return concat(parts)
}

/** Replacements that keep only safe characters, or remove the dangerous ones. */
function replaced(event: CallEvent): AbstractValue | undefined {
  const value: AbstractValue = { taints: allTaints(event.receiver ?? UNTAINTED) }
  const pattern = event.arg(0)
  if (!pattern) return value
  const source = pattern.value.fields?.get('source')?.known ?? pattern.value.known
  if (typeof source !== 'string' || event.method === 'sub') return value
  const plain = source
    .replace(/\\[wd]/g, 'a')
    .replace(/\\[-.]/g, '-')
    .replace(/\\s/g, ' ')
  if (/^\[\^[\w\s-]+\]\+?$/.test(plain)) return /\\?\./.test(source) ? sanitize(value, SAFE) : UNTAINTED
  if (/^\\W\+?$/.test(source)) return UNTAINTED
  return /\.\.|\//.test(source) && /\.\./.test(source.replaceAll('\\', ''))
    ? sanitize(value, ['path'])
    : value
}

const SAFE: readonly SinkKind[] = ['html', 'sql', 'shell', 'header', 'code', 'url']
