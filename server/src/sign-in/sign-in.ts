// Public API of sign-in.
export { checkPassword, hashPassword } from './password/passwords.ts'
export { newPassword } from './schema.ts'
