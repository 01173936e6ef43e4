// Limits of the index, shared by the checks and the API descriptions.

export const FILES_PER_CALL_MAX = 2_000
export const BODY_BYTES_MAX = 32 * 1024 * 1024
export const CHUNKS_PER_ORG_MAX = 250_000
export const REPOS_PER_ORG_MAX = 200
export const REPO_CHARACTERS_MAX = 200
export const PATHS_LISTED_MAX = 20_000
export const QUERY_CHARACTERS_MAX = 2_000
export const HITS_MAX = 50
export const HISTORY_COMMITS_MAX = 5_000
/** Of all subjects and paths of a repository. */
export const HISTORY_CHARACTERS_MAX = 2_000_000
export const SUBJECT_CHARACTERS_MAX = 200
export const PATHS_PER_COMMIT_MAX = 50
