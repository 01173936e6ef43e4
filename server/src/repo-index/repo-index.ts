// The index's face: what other capabilities may ask of an organisation's code.
export { type Excerpt, type Retrieving, retrieve } from './retrieve.ts'
export { repoName } from './schema.ts'
