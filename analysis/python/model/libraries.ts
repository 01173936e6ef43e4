// Standard library and common packages: escaping, decoding, checks and sources.

import { type AbstractValue, type SinkKind, UNTAINTED } from '../../abstract-value.ts'
import {
  propagates,
  returnsSource,
  returnsUntainted,
  sanitizes,
  taintsOf,
} from '../../engine/model-helpers.ts'
import { allTaints, constantValue, sanitize } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { paths } from './paths.ts'

const numbers: CallModel = {
  name: [
    'len',
    'ord',
    'bool',
    'round',
    'abs',
    'hash',
    'id',
    'sum',
    'isinstance',
    'issubclass',
    'callable',
    'type',
    'range',
    'hasattr',
    'any',
    'all',
    'decimal.Decimal',
    'fractions.Fraction',
    'uuid.UUID',
    'uuid.uuid4',
    'ipaddress.ip_address',
    'ipaddress.ip_network',
    'datetime.datetime.strptime',
    'datetime.date.fromisoformat',
    'datetime.datetime.fromisoformat',
    'bson.ObjectId',
    'bson.objectid.ObjectId',
    '*.hexdigest',
    '*.digest',
    '*.to_bytes',
    'secrets.token_bytes',
    'secrets.token_hex',
    'secrets.token_urlsafe',
    'secrets.randbits',
    'secrets.randbelow',
    'os.path.exists',
    'os.path.isfile',
    'os.path.isdir',
    'os.path.getsize',
    'os.getcwd',
    'time.time',
    'django.urls.reverse',
    'flask.url_for',
    'django.utils.crypto.get_random_string',
    'logging.getLogger',
    'tempfile.mkdtemp',
    'tempfile.NamedTemporaryFile',
  ],
  returns: returnsUntainted(),
}

const escapes: readonly (readonly [readonly string[], readonly SinkKind[]])[] = [
  [
    [
      'html.escape',
      'cgi.escape',
      'markupsafe.escape',
      'markupsafe.Markup.escape',
      'flask.escape',
      'jinja2.escape',
      'flask.Markup.escape',
      'django.utils.html.escape',
      'django.utils.html.conditional_escape',
      'django.utils.html.format_html',
      'django.utils.html.format_html_join',
      'django.utils.html.escapejs',
      'bleach.clean',
      'nh3.clean',
      'xml.sax.saxutils.escape',
      'xml.sax.saxutils.quoteattr',
      'tornado.escape.xhtml_escape',
      'werkzeug.utils.escape',
      'lxml.html.clean.clean_html',
      'bottle.html_escape',
      'json.dumps',
      'flask.jsonify',
      'django.utils.html.strip_tags',
      'escapism.escape',
      'flask.json.dumps',
      'simplejson.dumps',
      'ujson.dumps',
      'orjson.dumps',
    ],
    ['html'],
  ],
  [['shlex.quote', 'pipes.quote', 'shlex.join', 'mslex.quote', 'subprocess.list2cmdline'], ['shell']],
  [
    [
      'ldap.filter.escape_filter_chars',
      'ldap3.utils.conv.escape_filter_chars',
      'ldap.dn.escape_dn_chars',
      'ldap3.utils.dn.escape_rdn',
      'ldap.filter.filter_format',
    ],
    ['ldap'],
  ],
  [
    [
      'werkzeug.utils.secure_filename',
      'werkzeug.secure_filename',
      '*.get_valid_filename',
      '*.get_valid_name',
    ],
    ['path', 'shell', 'html', 'header'],
  ],
  [
    [
      'werkzeug.utils.safe_join',
      'werkzeug.security.safe_join',
      'flask.safe_join',
      'django.utils._os.safe_join',
      'os.path.basename',
      'ntpath.basename',
      'posixpath.basename',
      'werkzeug.safe_join',
    ],
    ['path'],
  ],
  [['re.escape'], ['regex']],
  [
    [
      'urllib.parse.quote',
      'urllib.quote',
      'urllib.parse.quote_plus',
      'urllib.parse.urlencode',
      'urllib.request.quote',
      'urllib.quote_plus',
      'urllib.urlencode',
      'django.utils.http.urlquote',
      'django.utils.http.urlencode',
      'werkzeug.urls.url_quote',
      'django.utils.encoding.iri_to_uri',
      'requests.utils.quote',
    ],
    ['url', 'html', 'shell', 'sql', 'header', 'xpath', 'ldap', 'code', 'redirect'],
  ],
  [
    [
      'psycopg2.extensions.quote_ident',
      'psycopg2.sql.Identifier',
      'psycopg2.sql.Literal',
      'psycopg.sql.Identifier',
      'psycopg.sql.Literal',
      '*.quote_name',
      '*.escape_string',
      '*.mogrify',
      '*.quote_identifier',
      'pymysql.converters.escape_string',
      '*.escape_literal',
      'sqlalchemy.sql.quoted_name',
    ],
    ['sql'],
  ],
  [['slugify.slugify', 'django.utils.text.slugify', 'werkzeug.utils.slugify'], ['all']],
  // A function named as a check is trusted, because nothing else is known about it.
  [
    [
      '*.sanitize*',
      '*.sanitise*',
      '*.validate*',
      '*.whitelist*',
      '*.allowlist*',
      '*.safe_*',
      '*.clean_*',
      '*.secure_*',
    ],
    ['all'],
  ],
]

const decoders: CallModel = {
  name: [
    'base64.b*',
    'base64.a85*',
    'base64.standard_*',
    'base64.urlsafe_*',
    'base64.encode*',
    'base64.decode*',
    'binascii.a2b_*',
    'binascii.b2a_*',
    'binascii.hexlify',
    'binascii.unhexlify',
    'codecs.encode',
    'codecs.decode',
    'bytes.fromhex',
    'quopri.decodestring',
    'quopri.encodestring',
    'json.load',
    'urllib.parse.parse_qs',
    'urllib.parse.parse_qsl',
    'urllib.parse.urlparse',
    'urllib.parse.urlsplit',
    'urllib.parse.urljoin',
    'urllib.parse.urlunparse',
    'ast.literal_eval',
    'urllib.parse.urlunsplit',
    'typing.cast',
    'zlib.compress',
    'zlib.decompress',
    'gzip.compress',
    'gzip.decompress',
    'getattr',
    'os.path.splitext',
    'os.path.split',
    'os.path.dirname',
    'os.path.expanduser',
    'os.path.normcase',
    'os.fspath',
    'os.fsencode',
    'six.text_type',
    'six.ensure_str',
    'django.utils.encoding.force_str',
    'django.utils.encoding.smart_str',
    'unicode',
    'django.utils.encoding.force_text',
    'werkzeug.urls.url_parse',
    'memoryview',
    'markupsafe.Markup',
    'flask.Markup',
    'django.utils.safestring.mark_safe',
    'httpx.URL',
    'yarl.URL',
    'furl.furl',
    'string.Template',
    'copy.copy',
    'copy.deepcopy',
    'sqlalchemy.text',
    'sqlalchemy.sql.text',
    'sqlalchemy.sql.expression.text',
    'io.TextIOWrapper',
  ],
  returns: (event) => ({ ...(propagates(0, 1)(event) ?? UNTAINTED), ...nameless(event) }),
}

/** Functions that only wrap a string keep its parts. */
const nameless = (event: CallEvent): Partial<AbstractValue> => {
  const pieces = /(?:^|\.)(?:text|Markup|mark_safe|cast)$/.test(event.name) ? event.arg(0)?.value : undefined
  return {
    ...(pieces?.pieces && { pieces: pieces.pieces }),
    ...(pieces?.known !== undefined && { known: pieces.known }),
  }
}

/** Decoders that undo an escaping. */
const undoing: CallModel = {
  name: [
    'urllib.parse.unquote',
    'urllib.parse.unquote_plus',
    'urllib.unquote',
    'urllib.unquote_plus',
    'html.unescape',
    'json.loads',
    'simplejson.loads',
    'ujson.loads',
    'orjson.loads',
  ],
  returns: (event) => ({
    taints: taintsOf(event).map((taint) => ({
      ...taint,
      sanitizedFor: taint.sanitizedFor.has('all') ? taint.sanitizedFor : new Set<SinkKind>(),
    })),
  }),
}

/** `int('7')` is 7. Any other number is untainted. */
function number(event: CallEvent): AbstractValue {
  const value = event.arg(0)?.value.known
  const read = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  if (Number.isNaN(read)) return { taints: [], type: 'int' }
  return constantValue(event.method === 'int' ? Math.trunc(read) : read)
}

/** `re.sub(r'[^\w-]', '', x)` keeps only safe characters. */
function substituted(event: CallEvent): AbstractValue {
  const [pattern, to] = [event.arg(0)?.value.known, event.arg(1)?.value.known]
  const taints = allTaints(event.arg(2)?.value ?? UNTAINTED)
  const isNarrow =
    typeof pattern === 'string' && /^\[\^[\w\s\\-]*\]\+?$/.test(pattern) && !pattern.includes('\\W')
  return isNarrow && typeof to === 'string' ? sanitize({ taints }, ['all']) : { taints }
}

/** `escape_html`, `escape_for_sql`: the name says what the result is safe for. */
function escapedFor(event: CallEvent): AbstractValue {
  const [, ...named] =
    /(html|xml|markup)|(shell|cmd|bash)|(sql|like)|(ldap|dn_|filter_chars)|(url|uri)|(path|file)|(xpath)/i.exec(
      event.method,
    ) ?? []
  const kinds: readonly SinkKind[] = ['html', 'shell', 'sql', 'ldap', 'url', 'path', 'xpath']
  const sinks = kinds.filter((_, index) => named[index] !== undefined)
  return sanitize({ taints: taintsOf(event) }, sinks.length > 0 ? sinks : ['all'])
}

export const libraryCalls: readonly CallModel[] = [
  numbers,
  { name: ['int', 'float'], returns: number },
  ...escapes.map(([name, cleaning]): CallModel => ({ name, returns: sanitizes(...cleaning) })),
  { name: '*.escape_*', returns: escapedFor },
  decoders,
  undoing,
  ...paths,
  { name: 're.sub', returns: substituted },
  {
    name: ['re.match', 're.search', 're.fullmatch', '*.group', '*.groups', '*.groupdict'],
    returns: (event) => ({ taints: taintsOf(event) }),
  },
  {
    name: ['os.getenv', 'os.environ.get', 'input', 'raw_input', 'os.environb.get'],
    returns: returnsSource('environment'),
  },
  { name: ['argparse.ArgumentParser().parse_args', '*.parse_args'], returns: returnsSource('environment') },
]
