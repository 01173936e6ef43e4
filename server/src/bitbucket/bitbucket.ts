// Public API of the Bitbucket client.
export {
  type BitbucketRepository,
  createBitbucketForge,
  fetchBitbucketRepository,
} from './bitbucket-forge.ts'
export { BitbucketPullEvent } from './webhook-payloads.ts'
