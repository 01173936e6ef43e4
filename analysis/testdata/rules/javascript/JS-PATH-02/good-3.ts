const fs = require('fs')
function save(entry) { fs.createWriteStream('logs/' + entry.name) }
save({ name: 'today' })
