import { msg, t } from '../../i18n/t.ts'
/** A person's own organisation carries their address as its name until they give it another. */
export const orgNameFor = (me: { email: string } | null, name: string): string =>
  name === me?.email ? t('Personal') : name

export const ROLES: Readonly<Record<string, string>> = {
  owner: msg('Owner'),
  admin: msg('Administrator'),
  member: msg('Member'),
}
