require('http').createServer((req, res) => { try { work() } catch (e) { res.end(e.stack) } })
