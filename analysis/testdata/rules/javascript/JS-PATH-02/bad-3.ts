const tar = require('tar-stream'), fs = require('fs')
tar.extract().on('entry', (header, stream, next) => {
  stream.pipe(fs.createWriteStream('out/' + header.name)) // ← here
})
