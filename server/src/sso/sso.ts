// Single sign-on's face: what the rest of the server may know of connections.
export { type SsoStanding, ssoStanding } from './sql.ts'
