// Ways to sign in: what other modules need of them.
export { checkPassword, hashPassword } from './password/passwords.ts'
export { newPassword } from './schema.ts'
