const unzipper = require('unzipper'), fs = require('fs'), path = require('path')
fs.createReadStream('in.zip').pipe(unzipper.Parse()).on('entry', (entry) => {
  entry.pipe(fs.createWriteStream(path.join('out', entry.path))) // ← here
})
