// Library functions whose return type is enough.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { propagates, returnsType, returnsTypeFrom, returnsUntainted } from '../../engine/model-helpers.ts'
import { constantValue } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

/** The name of a response writer, which distinguishes it from file writers. */
export const RESPONSE_WRITER = 'javax.servlet.ServletResponse.writer'

export const typeCalls: readonly CallModel[] = [
  ...made(
    'java.sql.Connection',
    '*.getConnection',
    'java.sql.DriverManager.getConnection',
    '*.getSqlConnection',
  ),
  ...made('java.sql.Statement', '*.createStatement'),
  ...made('java.sql.PreparedStatement', 'Connection#prepareStatement'),
  ...made('java.sql.CallableStatement', 'Connection#prepareCall'),
  { name: ['*.executeQuery', '*.getResultSet'], returns: returnsType('java.sql.ResultSet') },
  { name: ['ResultSet#getString', 'ResultSet#getObject', 'ResultSet#getInt'], returns: returnsUntainted() },
  { name: ['java.lang.Runtime.getRuntime'], returns: returnsType('java.lang.Runtime') },
  { name: ['java.lang.ProcessBuilder'], returns: () => ({ taints: [], type: 'java.lang.ProcessBuilder' }) },
  { name: ['HttpServletResponse#getWriter', 'ServletResponse#getWriter'], returns: () => RESPONSE },
  {
    name: ['HttpServletResponse#getOutputStream', 'ServletResponse#getOutputStream'],
    returns: () => RESPONSE,
  },
  { name: ['*.newXPath'], returns: returnsType('javax.xml.xpath.XPath') },
  { name: ['*.newDocumentBuilder'], returns: returnsType('javax.xml.parsers.DocumentBuilder') },
  { name: ['*.newSAXParser'], returns: returnsType('javax.xml.parsers.SAXParser') },
  { name: ['*.getXMLReader', '*.createXMLReader'], returns: returnsType('org.xml.sax.XMLReader') },
  { name: ['*.newInstance', '*.newFactory', '*.newDefaultInstance'], returns: factory },
  {
    name: ['javax.naming.directory.InitialDirContext', '*.getDirContext'],
    returns: returnsType('javax.naming.directory.DirContext'),
  },
  { name: ['javax.naming.ldap.InitialLdapContext'], returns: returnsType('javax.naming.ldap.LdapContext') },
  {
    name: [
      'java.security.SecureRandom',
      'java.security.SecureRandom.getInstance',
      'java.security.SecureRandom.getInstanceStrong',
    ],
    returns: returnsType('java.security.SecureRandom'),
  },
  { name: 'java.util.Random', returns: returnsType('java.util.Random') },
  {
    name: ['java.lang.Math.random', 'java.util.concurrent.ThreadLocalRandom.current'],
    returns: (event) => random(event),
  },
  { name: ['Random#next*', 'ThreadLocalRandom#next*'], returns: nextRandom },
  { name: ['java.io.File', 'java.nio.file.Paths.get', 'java.nio.file.Path.of'], returns: fileFrom },
  {
    name: ['java.net.URL', 'java.net.URI', 'java.net.URI.create'],
    returns: (event) => ({ ...pathFrom(event), type: 'java.net.URL' }),
  },
  { name: ['*.encodeRedirectURL', '*.encodeURL'], returns: propagates(0) },
  {
    name: ['Path#resolve', 'Path#resolveSibling'],
    returns: returnsTypeFrom('java.nio.file.Path', 'receiver', 0),
  },
  {
    name: [
      '*.toFile',
      '*.toPath',
      '*.toURI',
      '*.toURL',
      '*.normalize',
      '*.getCanonicalFile',
      '*.getAbsoluteFile',
      '*.toRealPath',
      '*.toAbsolutePath',
      '*.getCanonicalPath',
      '*.getAbsolutePath',
      '*.getPath',
    ],
    returns: samePlace,
  },
  // A compiled pattern is represented by its source, so that guards can inspect it.
  { name: ['java.util.regex.Pattern.compile'], returns: (event) => event.arg(0)?.value ?? UNTAINTED },
  ...numbers(),
  {
    name: [
      'java.util.Base64.getDecoder',
      'java.util.Base64.getUrlDecoder',
      'java.util.Base64.getMimeDecoder',
    ],
    returns: returnsType('java.util.Base64.Decoder'),
  },
  {
    name: [
      'java.util.Base64.getEncoder',
      'java.util.Base64.getUrlEncoder',
      'java.util.Base64.getMimeEncoder',
    ],
    returns: returnsType('java.util.Base64.Encoder'),
  },
  {
    name: [
      'Base64.Decoder#decode',
      'Base64.Encoder#encode',
      'Base64.Encoder#encodeToString',
      'Base64#decodeBase64',
      'Base64#encodeBase64',
    ],
    returns: propagates(0),
  },
  {
    name: ['*.decodeBase64', '*.encodeBase64', '*.encodeBase64String', '*.parseBase64Binary'],
    returns: propagates(0),
  },
]

const RESPONSE: AbstractValue = { taints: [], name: RESPONSE_WRITER, type: 'java.io.PrintWriter' }

function made(type: string, ...names: readonly string[]): CallModel[] {
  return [{ name: names, returns: returnsType(type) }]
}

/** The name of a predictable random value. */
export const PREDICTABLE_RANDOM = 'java.util.Random.next'

const random = ({ method }: CallEvent): AbstractValue =>
  method === 'random'
    ? { taints: [], name: PREDICTABLE_RANDOM, type: 'double' }
    : { taints: [], type: 'java.util.Random' }

function nextRandom({ receiver }: CallEvent): AbstractValue {
  const isGuessable = /(^|\.)(Random|ThreadLocalRandom)$/.test(receiver?.type ?? '')
  return isGuessable ? { taints: [], name: PREDICTABLE_RANDOM, type: 'long' } : UNTAINTED
}

/** `XMLInputFactory.newInstance()` returns an instance of its class. */
function factory({ receiver }: CallEvent): AbstractValue | undefined {
  const name = receiver?.name
  return name && /Factory$/.test(name) ? { taints: [], type: name } : undefined
}

function fileFrom(event: CallEvent): AbstractValue {
  const type = event.name === 'java.io.File' ? 'java.io.File' : 'java.nio.file.Path'
  return { ...pathFrom(event), type }
}

function pathFrom(event: CallEvent): AbstractValue {
  const values = event.args.map(({ value }) => value)
  const [only] = values
  if (values.length === 1 && only) return { ...only, taints: only.taints }
  const { taints } = propagates(...values.keys())(event) ?? UNTAINTED
  return { taints, pieces: values.map((value) => value) }
}

/** The same path in another form. The constant text is dropped. */
function samePlace({ receiver, method }: CallEvent): AbstractValue {
  const type =
    /Path$/.test(method) && method !== 'toPath' && method !== 'toRealPath' && method !== 'toAbsolutePath'
      ? 'java.lang.String'
      : receiver?.type
  return { taints: receiver?.taints ?? [], ...(type && { type }) }
}

function numbers(): CallModel[] {
  const kinds = ['Integer', 'Long', 'Short', 'Byte', 'Double', 'Float', 'Boolean']
  const names = kinds.flatMap((kind) =>
    [
      'parseInt',
      'parseLong',
      'parseShort',
      'parseByte',
      'parseDouble',
      'parseFloat',
      'parseBoolean',
      'valueOf',
      'decode',
    ].map((method) => `java.lang.${kind}.${method}`),
  )
  return [
    { name: names, returns: parsed },
    {
      name: ['*.valueOf'],
      returns: (event) => (event.receiver?.name === 'java.lang.String' ? undefined : UNTAINTED),
    },
    {
      name: ['java.util.UUID.fromString', 'java.util.UUID.randomUUID', 'java.lang.System.currentTimeMillis'],
      returns: returnsUntainted(),
    },
    {
      name: [
        'java.time.LocalDate.parse',
        'java.time.Instant.parse',
        'java.lang.Class.getName',
        '*.getSimpleName',
      ],
      returns: returnsUntainted(),
    },
    {
      name: [
        'java.lang.Integer.toString',
        'java.lang.Long.toString',
        'java.lang.Integer.toHexString',
        'java.lang.Double.toString',
        'java.lang.Float.toString',
        'java.lang.Long.toHexString',
      ],
      returns: (event) => event.arg(0)?.value ?? UNTAINTED,
    },
  ]
}

function parsed({ arg }: CallEvent): AbstractValue {
  const given = arg(0)?.value.known
  const value = Number(given)
  const isWritten = typeof given === 'string' && given.trim() !== '' && Number.isFinite(value)
  return isWritten ? constantValue(value) : { taints: [], type: 'int' }
}
