const tar = require('tar-stream'), fs = require('fs'), path = require('path')
tar.extract().on('entry', (header, stream, next) => {
  const target = path.join('out', header.name)
  if (path.relative('out', target).startsWith('..')) return next()
  stream.pipe(fs.createWriteStream(target))
})
