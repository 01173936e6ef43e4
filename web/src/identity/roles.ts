import { msg } from '../i18n/t.ts'
export const ROLES: Readonly<Record<string, string>> = {
  owner: msg('Owner'),
  admin: msg('Administrator'),
  member: msg('Member'),
}
