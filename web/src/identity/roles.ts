export const ROLES: Readonly<Record<string, string>> = {
  owner: 'Owner',
  admin: 'Administrator',
  member: 'Member',
}
