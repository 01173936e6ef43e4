// Public API of the GitLab client.
export { createGitlabForge, fetchGitlabProject, type GitlabProject } from './gitlab-forge.ts'
export { GitlabMergeRequestEvent, GitlabNoteEvent } from './webhook-payloads.ts'
