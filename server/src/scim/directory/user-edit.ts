// From the body of a SCIM request to the attributes of a user.
import { normaliseEmail } from '../../kernel/email.ts'
import { email as addressShape } from '../../platform/http/shapes.ts'
import { problem } from '../protocol/messages.ts'
import { booleanOf, changesOf, type Operation, textOf } from '../protocol/patch.ts'
import type { UserBody } from '../protocol/schema.ts'
import type { UserAttributes } from './users-sql.ts'

/** The attributes, and whether the user should be a member. */
export type UserState = UserAttributes & { active: boolean }

/** The state that a PUT or POST describes. Without `active` a user keeps the state; a new one is active. */
export const stateOf = (body: UserBody, isActive: boolean): UserState => ({
  userName: userNameOf(body.userName),
  externalId: textOf(body.externalId, 'externalId'),
  displayName: textOf(body.displayName, 'displayName'),
  givenName: textOf(body.name?.givenName, 'name.givenName'),
  familyName: textOf(body.name?.familyName, 'name.familyName'),
  formattedName: textOf(body.name?.formatted, 'name.formatted'),
  active: body.active === undefined || body.active === null ? isActive : booleanOf(body.active, 'active'),
})

const TEXTS = {
  externalid: 'externalId',
  displayname: 'displayName',
  'name.givenname': 'givenName',
  'name.familyname': 'familyName',
  'name.formatted': 'formattedName',
} as const

/** Attributes that this service does not store are accepted and ignored, as directory services map many by default. */
export function patchedState(before: UserState, operations: readonly Operation[]): UserState {
  const state = { ...before }
  for (const { op, attribute, value } of changesOf(operations)) {
    const isRemoval = op === 'remove'
    if (attribute === 'active' || attribute === 'username') {
      if (isRemoval) throw problem('mutability', `${attribute} cannot be removed.`)
      if (attribute === 'active') state.active = booleanOf(value, 'active')
      else state.userName = userNameOf(value)
    } else if (Object.hasOwn(TEXTS, attribute)) {
      const name = TEXTS[attribute as keyof typeof TEXTS]
      state[name] = isRemoval ? null : textOf(value, attribute)
    }
  }
  return state
}

const USER_NAME_MAX = 254

function userNameOf(value: unknown): string {
  if (
    typeof value !== 'string' ||
    value.trim() === '' ||
    value.length > USER_NAME_MAX ||
    /\p{Cc}/u.test(value)
  )
    throw problem('invalidValue', `userName must be a text with at most ${USER_NAME_MAX} characters.`)
  return value.trim()
}

/** The addresses of a new user, in the order in which they are tried: the user name, the primary address, the others. */
export function addressesOf({ userName, emails }: UserBody): string[] {
  const given = [...(emails ?? [])].sort((a, b) => Number(b.primary === true) - Number(a.primary === true))
  const all = [userName, ...given.map(({ value }) => value ?? '')].filter(
    (text) => addressShape.safeParse(text).success,
  )
  return [...new Set(all.map(normaliseEmail))]
}
