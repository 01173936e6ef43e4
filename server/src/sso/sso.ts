// Single sign-on's face: what the rest of the server may know of connections.
export { getSsoStatus, type SsoStatus } from './sql.ts'
