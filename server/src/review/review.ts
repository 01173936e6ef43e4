// Public API of reviews: the GitHub App installations of organisations.
export {
  findInstallation,
  type Installation,
  type InstallationId,
} from './installations/installations-sql.ts'
