// Ways to sign in: what other modules need of them.
export { checkPassword, hashPassword } from './passwords.ts'
export { newPassword } from './schema.ts'
