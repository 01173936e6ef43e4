// The API client of the screens of staff. It is not part of the shell.
import { createClient } from '@cowrie/sdk'
import { CLIENT_OPTIONS } from '../../../data/api.ts'

export const api = createClient(CLIENT_OPTIONS)
