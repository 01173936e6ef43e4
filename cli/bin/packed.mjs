#!/usr/bin/env node
// Starts the command from its package, where it is one file, and keeps what the engine made of it for the next start.
import module from 'node:module'
import { join } from 'node:path'

// In a folder of the user's own: what is found there is run, so nobody else may write to it.
const { XDG_CACHE_HOME, HOME, LOCALAPPDATA } = process.env
const cache = XDG_CACHE_HOME || (HOME && join(HOME, '.cache')) || LOCALAPPDATA
if (cache) module.enableCompileCache?.(join(cache, 'cowrie', 'compiled'))
await import('../lib/cowrie.js')
