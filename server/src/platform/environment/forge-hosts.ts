// The code hosts whose repositories can be connected with a token.
import type { EnvironmentReader } from './environment.ts'

export type ForgeHosts = {
  readonly gitlab: { readonly apiUrl: string }
  /** Archives come from the pages of Bitbucket, not from its API. */
  readonly bitbucket: { readonly apiUrl: string; readonly webUrl: string }
}

export function readForgeHosts(read: EnvironmentReader): ForgeHosts {
  const url = (name: string, standard: string) =>
    (read.url(name, ['http', 'https']) ?? standard).replace(/\/+$/, '')
  return {
    gitlab: { apiUrl: url('SERVICE_GITLAB_API_URL', 'https://gitlab.com/api/v4') },
    bitbucket: {
      apiUrl: url('SERVICE_BITBUCKET_API_URL', 'https://api.bitbucket.org/2.0'),
      webUrl: url('SERVICE_BITBUCKET_WEB_URL', 'https://bitbucket.org'),
    },
  }
}
