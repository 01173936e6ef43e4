import { msg, t } from '../../i18n/t.ts'
/** A personal organisation has the email address of its owner as its name until it is renamed. */
export const orgNameFor = (me: { email: string } | null, name: string): string =>
  name === me?.email ? t('Personal') : name

export const ROLES: Readonly<Record<string, string>> = {
  owner: msg('Owner'),
  admin: msg('Administrator'),
  member: msg('Member'),
}
