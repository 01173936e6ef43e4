// Public API of sign-in.
export { PendingEmail } from './email-change/routes.ts'
export { checkPassword, hashPassword } from './password/passwords.ts'
export { newPassword } from './schema.ts'
