// Public API of the GitHub client. Every request is made as the GitHub App.
export { readTarEntries } from './archive/tar.ts'
export { InvalidTar } from './archive/tar-header.ts'
export { type StreamedEntry, streamTarEntries } from './archive/tar-stream.ts'
export {
  listCommentBodies,
  publishComment,
} from './checks-and-comments.ts'
export {
  fetchRepositoryInfo,
  isFullSha,
  openArchive,
  type RepositoryInfo,
  readBlob,
  resolveCommit,
} from './contents.ts'
export { GithubRateLimit, GithubRefusal, GithubUnavailable, isGithubError, isRefusal } from './errors.ts'
export {
  breakReferences,
  escapeProse,
  formatCode,
  formatCodeBlock,
  formatProse,
  toOneLine,
} from './escape-markdown.ts'
export {
  advanceBranch,
  createBranch,
  createCommit,
  createPull,
  createTree,
  type FileMode,
  fetchBranchHead,
  fetchFolder,
  fetchGitCommit,
  fetchPublishedPull,
  findOpenPull,
  type GitCommit,
  type GitTreeEntry,
  hasWriteAccess,
  type PublishedPull,
  type TreeChange,
  updatePullBody,
} from './git-data.ts'
export { createGithubForge } from './github-forge.ts'
export {
  createInstallationToken,
  fetchInstallation,
  type GithubInstallation,
  type InstalledRepository,
  listRepositories,
  type TokenScope,
} from './installation.ts'
export {
  findMissingPermissions,
  findPermissionGaps,
  type GrantedPermissions,
  hasPermission,
  lacksEssentialPermission,
  listOptionalPermissions,
  type Permission,
  type PermissionGap,
  publishingPermissions,
  REQUIRED_PERMISSIONS,
  tokenPermissions,
} from './permissions.ts'
export {
  compareCommits,
  fetchFile,
  fetchPull,
  fetchTarball,
  listBranches,
  listChangedFiles,
  listRootFiles,
  type Pull,
  parseRepositoryName,
  type Repository,
} from './repository.ts'
export { listTree, type TreeFile, TreeTooLarge } from './tree.ts'
export {
  InstallationPayload,
  IssueCommentPayload,
  PullRequestPayload,
  ReviewCommentPayload,
} from './webhook-payloads.ts'
