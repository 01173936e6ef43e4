// Reads the user's profile from an assertion. Providers use different names for the same attributes.
import { ASSERTION, childrenOf, SamlResponseError, textOf, type XmlElement } from './xml.ts'

export type SamlProfile = {
  /** The permanent identifier of the user at the provider. */
  subject: string
  email: string
  name: string | null
  groups: string[]
}

const TRANSIENT_FORMAT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const EMAIL = ['email', 'mail', `${CLAIMS}/emailaddress`, 'urn:oid:0.9.2342.19200300.100.1.3']
const NAME = ['displayName', 'name', `${CLAIMS}/name`, 'urn:oid:2.16.840.1.113730.3.1.241']
const GROUPS = [
  'groups',
  'memberOf',
  'http://schemas.xmlsoap.org/claims/Group',
  'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
]

// Longer values are ignored or rejected, and so are further groups.
const SUBJECT_CHARACTERS_MAX = 1_000
const EMAIL_CHARACTERS_MAX = 254
const NAME_CHARACTERS_MAX = 200
const GROUP_CHARACTERS_MAX = 500
const GROUPS_MAX = 1_000

/** The profile in an assertion. Pass only verified elements. */
export function parseProfile(assertion: XmlElement, nameId: XmlElement): SamlProfile {
  const subject = textOf(nameId)
  if (!subject || subject.length > SUBJECT_CHARACTERS_MAX) throw new SamlResponseError('has no valid subject')
  const format = nameId.attributes.get('Format')
  if (format === TRANSIENT_FORMAT) throw new SamlResponseError('has a transient subject')
  const attributes = attributesOf(assertion)
  const valuesOf = (names: readonly string[]) => names.flatMap((name) => attributes.get(name) ?? [])
  const named = format === EMAIL_FORMAT ? [subject] : valuesOf(EMAIL)
  const [email, ...others] = new Set(named)
  if (!email || email.length > EMAIL_CHARACTERS_MAX || others.length > 0)
    throw new SamlResponseError('does not have exactly one email address')
  const groups = new Set(valuesOf(GROUPS).filter(({ length }) => length <= GROUP_CHARACTERS_MAX))
  return {
    subject,
    email,
    name: valuesOf(NAME)[0]?.slice(0, NAME_CHARACTERS_MAX) ?? null,
    groups: [...groups].slice(0, GROUPS_MAX),
  }
}

function attributesOf(assertion: XmlElement): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const statement of childrenOf(assertion, ASSERTION, 'AttributeStatement'))
    for (const attribute of childrenOf(statement, ASSERTION, 'Attribute')) {
      const name = attribute.attributes.get('Name') ?? ''
      const values = childrenOf(attribute, ASSERTION, 'AttributeValue')
        .filter(({ children }) => children.length === 0)
        .map(textOf)
        .filter(Boolean)
      found.set(name, [...(found.get(name) ?? []), ...values])
    }
  return found
}
