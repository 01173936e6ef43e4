#!/usr/bin/env node
// Starts the packaged command, which is one file, and caches the compiled code for the next start.
import module from 'node:module'
import { join } from 'node:path'

// Cached code is executed, so the cache is in a folder that only this user can write.
const { XDG_CACHE_HOME, HOME, LOCALAPPDATA } = process.env
const cache = XDG_CACHE_HOME || (HOME && join(HOME, '.cache')) || LOCALAPPDATA
if (cache) module.enableCompileCache?.(join(cache, 'cowrie', 'compiled'))
await import('../lib/cowrie.js')
