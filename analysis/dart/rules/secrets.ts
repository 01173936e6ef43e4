// Rules about randomness, hashes, ciphers, certificates and stored secrets.

import type { AssignEvent, CallEvent, Hit, Rule } from '../../rule.ts'

const SECRET_NAME =
  /(?:^|_|\b|[a-z])(?:[pP]ass(?:word|wd|phrase|code)?|pwd|[sS]ecret|[tT]oken|otp|Otp|OTP|[sS]ession_?[iI]d|csrf|nonce|[aA]pi_?[kK]ey|[aA]ccess_?[kK]ey|[vV]erification_?[cC]ode|pin|Pin|PIN|salt|Salt|[pP]rivate_?[kK]ey|[mM]nemonic|jwt|[cC]redential)s?(?=$|_|[A-Z\d])/

export const weakRandomness: Rule = {
  id: 'DA-RAND-01',
  title: 'A secret comes from a predictable generator',
  cwe: 338,
  severity: 'error',
  confidence: 'medium',
  languages: ['dart'],
  message: 'A few values of `Random()` reveal the next ones. An attacker computes the tokens of other users.',
  fix: 'Use `Random.secure()`.',
  on: { assign: findAssigned, call: findDraw },
}

const GENERATES =
  /^_?(?:generate|make|create|new|random)_?\w*(?:Token|Otp|OTP|Pin|PIN|Password|Secret|Code|Nonce|Salt|Key)\w*$/
const OTHER_CODE = /Color|Mock|Fake|Test|Demo|Sample|Hash/

/** `Random()` in a function that generates a secret. */
function findDraw(event: CallEvent): Hit | undefined {
  if (!event.isNew || event.name !== 'Random') return undefined
  const method = event.functions.find(({ name }) => name !== '')
  return method && GENERATES.test(method.name) && !OTHER_CODE.test(method.name)
    ? { at: event.expr.at }
    : undefined
}

function findAssigned({ name, expr, source, target, functions }: AssignEvent): Hit | undefined {
  const value = expr.kind === 'assign' ? expr.value : expr
  if (!SECRET_NAME.test(name) || value.kind === 'function' || target.kind === 'literal') return undefined
  if (GENERATES.test(functions.find((each) => each.name !== '')?.name ?? '')) return undefined
  const written = source(value.at)
  return written.length < 300 &&
    /\b(?:math\.)?Random\(\)|\b_?random\.next\w+\(/i.test(written) &&
    !/secure/i.test(written)
    ? { at: expr.at }
    : undefined
}

export const weakPasswordHash: Rule = {
  id: 'DA-HASH-01',
  title: 'A password is hashed with a fast hash',
  cwe: 916,
  severity: 'error',
  confidence: 'medium',
  languages: ['dart'],
  message:
    'A graphics card tries billions of these hashes per second. A leaked table is read as if it were plain text.',
  fix: 'Use Argon2 or bcrypt with a salt for each password: `BCrypt.hashpw(password, BCrypt.gensalt())`.',
  on: {
    call: (event) => {
      if (!/^(?:crypto\.)?(?:md5|sha1|sha256|sha512|sha224|sha384)\.convert$/.test(event.name))
        return undefined
      const given = event.args[0]
      const written = given ? event.source(given.expr.at) : ''
      return /pass(?:word|wd|phrase|code)\b|\bpwd\b/i.test(written) && !/token|reset|path/i.test(written)
        ? { at: event.expr.at }
        : undefined
    },
  },
}

export const weakCipher: Rule = {
  id: 'DA-CRYPT-01',
  title: 'Data is encrypted with a broken cipher or mode',
  cwe: 327,
  severity: 'warn',
  confidence: 'high',
  languages: ['dart'],
  message: 'DES and RC4 can be broken, and ECB shows equal blocks. The content can be recovered.',
  fix: 'Use AES with GCM and a new random iv for each message: `AES(key, mode: AESMode.gcm)`.',
  on: { call: findCipher },
}

function findCipher(event: CallEvent): Hit | undefined {
  if (event.isNew && event.name === 'AES' && event.option('mode')?.name === 'AESMode.ecb')
    return { at: event.expr.at }
  if (
    event.isNew &&
    /^(?:ECBBlockCipher|DESEngine|DESedeEngine|RC4Engine|Salsa20_8|DES|DES3|TripleDES)$/.test(event.name)
  )
    return { at: event.expr.at }
  const cipher =
    event.isNew && /^(?:BlockCipher|PaddedBlockCipher|StreamCipher)$/.test(event.name)
      ? event.arg(0)?.value.known
      : undefined
  return /\/ECB\b|^(?:DES|RC4)/i.test(String(cipher ?? '')) ? { at: event.expr.at } : undefined
}

export const uncheckedCertificate: Rule = {
  id: 'DA-TLS-01',
  title: 'The certificate of a server is not checked',
  cwe: 295,
  severity: 'warn',
  confidence: 'high',
  languages: ['dart'],
  message:
    'Anyone on the network path can answer in the name of the server, read what is sent and change the answer.',
  fix: 'Remove the callback, or compare the fingerprint of the certificate with a known one.',
  on: {
    assign: (event) =>
      event.name === 'badCertificateCallback' &&
      acceptsAll(event.source((event.expr.kind === 'assign' ? event.expr.value : event.expr).at))
        ? { at: event.expr.at }
        : undefined,
    call: (event) => {
      const given = event.args.find(
        ({ name, expr }) =>
          /^(?:badCertificateCallback|onBadCertificate)$/.test(name ?? '') &&
          acceptsAll(event.source(expr.at)),
      )
      return given && { at: given.expr.at }
    },
  },
}

const acceptsAll = (written: string): boolean =>
  /^\(?\s*\([^)]*\)\s*(?:=>\s*true|\{\s*return\s+true\s*;\s*\})/.test(written)

export const plainStorage: Rule = {
  id: 'DA-STORE-01',
  title: 'A secret is stored unencrypted on the device',
  cwe: 312,
  severity: 'warn',
  confidence: 'medium',
  languages: ['dart'],
  message: 'Shared preferences are a plain file. Backups and other programs on a rooted device read it.',
  fix: 'Use the keystore of the platform, such as `FlutterSecureStorage().write(key: …, value: …)`.',
  on: { call: findStored },
}

function findStored(event: CallEvent): Hit | undefined {
  if (!/^(?:setString|setStringList)$/.test(event.method) || !event.receiver) return undefined
  if (
    !/prefs|preferences|storage/i.test(event.source(event.expr.callee.at)) ||
    /secure|encrypt/i.test(event.source(event.expr.at))
  )
    return undefined
  const key = event.args[0]
  const name = typeof key?.value.known === 'string' ? key.value.known : key ? event.source(key.expr.at) : ''
  // Tokens of push messages and of devices are not credentials.
  return STORED.test(name) && !/fcm|push|device|firebase|expir|type|count|hash|_at$/i.test(name)
    ? { at: event.expr.at }
    : undefined
}

const STORED =
  /pass(?:word|wd|phrase|code)|secret|(?:access|auth|refresh|bearer|session|id|api|user|jwt)_?token|^token$|private_?key|mnemonic|seed_?phrase|api_?key|(?:^|_)(?:pin|cvv)(?:$|_|[A-Z])|(?:^|[a-z])Pin$|card_?number/i
