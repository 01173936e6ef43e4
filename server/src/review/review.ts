// Public API of reviews: the GitHub App installations of organisations, and comments that mention the app.
export {
  findInstallation,
  type Installation,
  type InstallationId,
} from './installations/installations-sql.ts'
export { mayOpenRepository } from './installations/repository-proof.ts'
export { POLICY_PATH } from './pull/repo-policy.ts'
export { COMMENT_JOB, type CommentPayload } from './webhook/comment-payload.ts'
export { PULL_STATE_JOB, type PullState, type PullStatePayload } from './webhook/pull-state.ts'
