// Public API of single sign-on.
export { getSsoStatus, type SsoStatus } from './sql.ts'
