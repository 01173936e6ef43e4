// Single sign-on's face: what the rest of the server may know of connections.
export { type SsoStatus, getSsoStatus } from './sql.ts'
