// Public API of provisioning by directory services (SCIM 2.0).
export { authenticateToken } from './tokens/tokens.ts'
